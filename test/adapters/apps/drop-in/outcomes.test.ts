/** What is said of a search is what became of its hits, and is the same in the header, the body and to observers. */
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { JsonObject } from '../../../../adapters/apps/drop-in/parse/json.ts'
import type { AppOptions } from '../../../../adapters/apps/drop-in/run/settings.ts'
import { type SearchOutcome, type SearchReport, said } from '../../../../src/observe.ts'
import { officialClients } from '../../../engines/official-clients.ts'
import { type Find, findIn, found } from '../../../support/fake-engine.ts'
import { proxyBefore } from '../../../support/proxy-before.ts'
import { type Answer, type RecordedRequest, startRecordingServer } from '../../../support/recording-server.ts'
import { deciding, leaving, patient } from '../../../support/scripted-policy.ts'

const headers = ['content-type', 'application/json', 'x-elastic-product', 'Elasticsearch']
const fields = { text: { text: {} }, title: { unmapped: {}, text: {} }, sku: { keyword: {} } }

/** An engine in which other words find these hits. */
const engine =
  (others: readonly string[]) =>
  ({ path, body }: RecordedRequest): Answer => {
    if (path.includes('_field_caps')) return { headers, body: JSON.stringify({ fields }) }
    const isMsearch = path.includes('_msearch')
    const lines = String(body).trim().split('\n')
    const bodies = lines.filter((_, place) => !isMsearch || place % 2 === 1)
    const answers = bodies.map((line) => ({ ...findIn(find(others), JSON.parse(line)), status: 200 }))
    return { headers, body: JSON.stringify(isMsearch ? { took: 1, responses: answers } : answers[0]) }
  }

const find =
  (others: readonly string[]): Find =>
  ({ query }) =>
    JSON.stringify(query).includes('arches') ? found(...others) : found('a', 'b', 'c', 'd', 'e', 'f')

const idsIn = ({ hits }: JsonObject): unknown[] =>
  (hits as { readonly hits: readonly JsonObject[] }).hits.map(({ _id }) => _id)

async function behind(others: readonly string[], options: AppOptions) {
  const reports: SearchReport[] = []
  const observe = { onSearch: (report: SearchReport) => void reports.push(report) }
  const { url } = await proxyBefore(engine(others), { ...patient, ...options, observe })
  return async (body: JsonObject) => {
    const response = await fetch(`${url}/works/_search`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-querent-explain': 'true', 'x-opaque-id': 'cart-7' },
      body: JSON.stringify(body),
    })
    const answer = (await response.json()) as JsonObject
    return { answer, header: response.headers.get('x-querent'), report: reports.splice(0)[0]! }
  }
}

const search = (more: JsonObject = {}) => ({ query: { match: { text: 'bridge' } }, size: 3, ...more })
const reranking = (order: string) => ({
  needs: (_query: unknown, _lists: unknown, hits: readonly { readonly docid: string }[]) =>
    hits.map(({ docid }) => docid),
  rerank: <Hit extends { readonly docid: string }>(_query: unknown, _lists: unknown, hits: readonly Hit[]) =>
    hits.toSorted((one, other) => placeOf(order, one) - placeOf(order, other)),
})
const placeOf = (order: string, { docid }: { readonly docid: string }): number =>
  order.indexOf((JSON.parse(docid) as string[])[1]!)

describe('a search', () => {
  it('is changed if its hits or their order are not the engine’s, and only then', async () => {
    const order = fc.shuffledSubarray([...'abcdefg'], { minLength: 7 }).map((ids) => ids.join(''))
    const property = fc.asyncProperty(
      fc.subarray([...'abcg']),
      fc.constantFrom(leaving, deciding(['arches'])),
      fc.option(fc.oneof(fc.constant('abcdefg'), order)),
      fc.constantFrom(0, 3),
      async (others, policy, ranked, from) => {
        const rerank = ranked === null ? false : reranking(ranked)
        const ask = await behind(others, { policy, rerank })
        const { answer, header, report } = await ask(search({ from }))
        const isChanged = idsIn(answer).join('') !== 'abcdef'.slice(from, from + 3)
        expect(report.outcome?.kind).toBe(isChanged ? 'changed' : 'unchanged')
        expect(header).toBe(said(report.outcome!))
        expect((answer._querent as JsonObject).outcome).toEqual(report.outcome)
      },
    )
    await fc.assert(property, { numRuns: 30 })
  })

  it.each<readonly [string, JsonObject, SearchOutcome['kind'], RegExp]>([
    ['a field that no index has', { query: { match: { titel: 'bridge' } } }, 'passed through', /^`titel`/],
    ['values', { query: { match: { sku: 'bridge' } } }, 'passed through', /^`sku` is a keyword field$/],
    ['a sort', search({ sort: ['sku'] }), 'passed through', /`_score`/],
    [
      'words that must all match',
      { query: { match: { text: { query: 'bridge', operator: 'and' } } } },
      'unchanged',
      /`operator: and`.* re-ranking kept the order$/,
    ],
  ])('for %s is told with the reason, the index and the id of its caller', async (_, body, kind, reason) => {
    const ask = await behind([], { policy: deciding(['arches']), rerank: reranking('abcdef') })
    const { header, report } = await ask(body)
    expect(report).toMatchObject({
      index: 'works',
      opaqueId: 'cart-7',
      outcome: { kind, reason: expect.stringMatching(reason) },
    })
    expect(header).toBe(said(report.outcome!))
  })
})

it.each(officialClients)('$name: an observer gets the index and the id of the caller', async (official) => {
  const server = await startRecordingServer(engine([]))
  onTestFinished(() => server.close())
  const reports: SearchReport[] = []
  const observe = { onSearch: (report: SearchReport) => void reports.push(report) }
  const wrapped = official.wrap(official.connect(server.url, {}), { policy: leaving, rerank: false, observe })
  await wrapped.search('works', search(), { opaqueId: 'cart-7' })
  await wrapped.search('works', search({ size: 0 }), { headers: { 'X-Opaque-Id': 'cart-8' } })
  expect(reports).toMatchObject([
    { index: 'works', opaqueId: 'cart-7', outcome: { kind: 'unchanged' } },
    { index: 'works', opaqueId: 'cart-8', outcome: { kind: 'passed through' } },
  ])
})
