/** A server that answers as an engine does, and an official client of it, bare and wrapped. */
import { onTestFinished } from 'vitest'
import type { JsonObject } from '../../../../adapters/apps/drop-in/parse/json.ts'
import type { AppOptions } from '../../../../adapters/apps/drop-in/run/settings.ts'
import type { SearchReport } from '../../../../src/observe.ts'
import type { Asking, OfficialClient } from '../../../engines/official-clients.ts'
import { findIn, finding, found } from '../../../support/fake-engine.ts'
import {
  type Answer,
  type RecordedRequest,
  type RecordingServer,
  startRecordingServer,
} from '../../../support/recording-server.ts'
import { deciding, leaving, patient } from '../../../support/scripted-policy.ts'

export const headers = ['content-type', 'application/json', 'x-elastic-product', 'Elasticsearch']
const find = finding({ bridge: found('a', 'b'), arches: found('c', 'b'), spans: found('d') })
export const query = { query: { match: { text: 'bridge' } } }
export const sorted = { ...query, sort: ['year'] }
export const decides = { ...patient, policy: deciding(['arches', 'spans']), rerank: false } as const
export const leaves = { policy: leaving, rerank: false } as const

export const isMsearch = ({ path }: Pick<RecordedRequest, 'path'>): boolean => /\/_msearch\b/.test(path)

const isCaps = ({ path }: Pick<RecordedRequest, 'path'>): boolean => path.includes('/_field_caps')

/** What an engine answers. */
export function engine(request: RecordedRequest): Answer {
  // An engine that does not say what its fields are: their names decide.
  if (isCaps(request)) return { status: 404, headers, body: '{}' }
  const lines = linesOf(request)
  if (!isMsearch(request)) return { headers, body: JSON.stringify(findIn(find, lines[0]!)) }
  const bodies = lines.filter((_, place) => place % 2 === 1)
  const responses = bodies.map((body) => ({ ...findIn(find, body), status: 200 }))
  return { headers, body: JSON.stringify({ took: 3, responses }) }
}

export const linesOf = ({ body }: RecordedRequest): JsonObject[] =>
  String(body)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as JsonObject)

export const idsIn = (body: unknown): string[] =>
  (body as { hits: { hits: { _id: string }[] } }).hits.hits.map(({ _id }) => _id)

/** Without what takes its time. */
export const lasting = (body: unknown): unknown => ({ ...(body as object), took: 0 })

/** What was searched: all requests, but for those about the fields. */
export const searchesAt = ({ requests }: RecordingServer): RecordedRequest[] =>
  requests.filter((request) => !isCaps(request))

/** As they came, but for the connection. */
export const sentTo = (server: RecordingServer): unknown[] =>
  searchesAt(server).map(({ connection: _, ...request }) => request)

/** A server with this answer, a client of it, and what the wrapped client reports. Closed when the test is over. */
export async function serving(
  official: OfficialClient,
  answer: Answer | ((request: RecordedRequest) => Answer) = engine,
  settings: JsonObject = {},
) {
  const server = await startRecordingServer(answer)
  onTestFinished(() => server.close())
  const bare = official.connect(server.url, settings)
  const reports: SearchReport[] = []
  const wrap = (options: AppOptions): Asking =>
    official.wrap(bare, { ...options, observe: { onSearch: (report) => reports.push(report) } })
  return { server, bare, reports, wrap }
}
