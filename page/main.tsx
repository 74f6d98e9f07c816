/** The page: what runs in the browser begins here. */
import { render } from 'preact'
import type { PageData } from '../adapters/apps/http/page-response.ts'
import { LivePage } from './live-page.tsx'
import { ProxyPage } from './proxy-page.tsx'

const data = JSON.parse(document.getElementById('data')!.textContent!) as PageData
const page = data.kind === 'proxy' ? <ProxyPage /> : <LivePage {...data} />
render(page, document.getElementById('page')!)
