/** The page: what runs in the browser begins here. */
import { render } from 'preact'
import type { PageData } from '../../adapters/apps/http/page-response.ts'
import type { ReportData } from '../evaluation/report/client.ts'
import { LivePage } from './live-page.tsx'
import { ProxyPage } from './proxy-page.tsx'
import { ReportPage } from './report-page.tsx'

const data = JSON.parse(document.getElementById('data')!.textContent!) as PageData | ReportData
render(pageOf(data), document.getElementById('page')!)

function pageOf(given: PageData | ReportData) {
  switch (given.kind) {
    case 'searching':
      return <LivePage {...given} />
    case 'proxy':
      return <ProxyPage />
    case 'report':
      return <ReportPage {...given} />
  }
}
