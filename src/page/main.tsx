/** The page: what runs in the browser begins here. */
import { type ComponentType, render } from 'preact'
import type { PageData } from '../../adapters/apps/http/page-response.ts'
import type { ReportData } from '../evaluation/report/client.ts'
import { LivePage } from './live-page.tsx'
import { ProxyPage } from './proxy-page.tsx'
import { ReportPage } from './report-page.tsx'

const pages = { searching: LivePage, proxy: ProxyPage, report: ReportPage }
const data = JSON.parse(document.getElementById('data')!.textContent!) as PageData | ReportData
const Page = pages[data.kind] as ComponentType<typeof data>
render(<Page {...data} />, document.getElementById('page')!)
