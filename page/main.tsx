/** The page: what runs in the browser begins here. */
import { render } from 'preact'
import type { PageData } from '../adapters/apps/http/page-response.ts'
import { LivePage } from './live-page.tsx'

const data = JSON.parse(document.getElementById('data')!.textContent!) as PageData
render(<LivePage {...data} />, document.getElementById('page')!)
