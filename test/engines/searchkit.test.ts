/** InstantSearch and Searchkit before the proxy, as in examples/frameworks/searchkit.ts, and before the engine itself. */

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import createClient from '@searchkit/api'
import createSearchClient from '@searchkit/instantsearch-client'
import instantsearch from 'instantsearch.js'
import {
  connectHits,
  connectPagination,
  connectRefinementList,
  connectSearchBox,
  type Shown,
} from 'instantsearch.js/cjs/connectors/index.js'
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest'
import { createProxy, type ProxyOptions } from '../../adapters/apps/proxy/proxy.ts'
import { createSearchApi } from '../../examples/frameworks/searchkit.ts'
import { passedIn } from '../support/passed.ts'
import { leaving, patient } from '../support/scripted-policy.ts'
import { createSampleIndex, type SampleIndex } from './sample-index.ts'

const question = 'Was the author of Dracula born in the same city as the author of Ulysses?'

interface Result {
  readonly hits: readonly { readonly objectID: string; readonly kind: string }[]
  readonly nbHits: number
  readonly facets: object
}
type Api = ReturnType<typeof createSearchApi>

/** A search as InstantSearch sends it. */
const searchFor = (indexName: string, query: string, params: object = {}) => ({
  indexName,
  params: { query, facets: ['kind'], maxValuesPerFacet: 10, ...params },
})
const resultsOf = async (api: Api, ...requests: readonly object[]) =>
  (await api(requests)).results as readonly Result[]
/** All but the time. */
const lasting = (results: readonly object[]) => results.map((result) => ({ ...result, processingTimeMS: 0 }))
const idsOf = ({ hits }: Result) => hits.map(({ objectID }) => objectID)

describe.each(['elasticsearch', 'opensearch'] as const)('before %s', (kind) => {
  const url = inject(kind)
  let index: SampleIndex
  beforeAll(async () => {
    index = await createSampleIndex(url, {}, ({ docid }) => (docid.length % 2 === 0 ? 'even' : 'odd'))
  })
  afterAll(() => index?.delete())

  /** The API before a proxy, and what became of the requests. */
  async function optimized(options: Omit<ProxyOptions, 'target'> = {}) {
    const passed: (string | undefined)[] = []
    const proxy = await createProxy({
      ...patient,
      ...options,
      target: url,
      observe: { onSearch: (report) => void passed.push(passedIn(report)) },
    })
    onTestFinished(() => proxy.close())
    const at = await proxy.listen(0)
    return { at, api: createSearchApi(at), passed }
  }
  const direct = createSearchApi(url)

  it('every kind of request of InstantSearch has the same results where the policy leaves queries alone', async () => {
    const { api, passed } = await optimized({ policy: leaving, rerank: false })
    const requests = [
      searchFor(index.name, ''),
      searchFor(index.name, question),
      searchFor(index.name, question, { page: 1, hitsPerPage: 5 }),
      searchFor(index.name, question, { facetFilters: [['kind:even']] }),
      searchFor(index.name, question, { hitsPerPage: 0, facets: 'kind' }),
      { ...searchFor(index.name, question, { facetName: 'kind', facetQuery: 'ev' }), type: 'facet' },
    ]
    for (const some of [...requests.map((one) => [one]), requests])
      expect(lasting(await resultsOf(api, ...some))).toEqual(lasting(await resultsOf(direct, ...some)))
    const isPassed = (reason: string | undefined) => reason !== undefined
    expect(passed.filter(isPassed)).toEqual([
      'it has conditions alone, and no words to rank by',
      'it asks for no hits (`size: 0`)',
      'it has conditions alone, and no words to rank by',
      'it asks for no hits (`size: 0`)',
    ])
    expect(passed).toHaveLength(2 * requests.length)
  })

  it('an optimized search finds more, in the same form, with the same facets', async () => {
    const { api, passed } = await optimized()
    const asked = searchFor(index.name, question, { hitsPerPage: 5 })
    const [own] = await resultsOf(direct, asked)
    const [ours] = await resultsOf(api, asked)
    expect(passed).toEqual([undefined])
    expect(idsOf(own!)).not.toContain('james-joyce')
    expect(idsOf(ours!)).toContain('james-joyce')
    expect(Object.keys(ours!).toSorted()).toEqual(Object.keys(own!).toSorted())
    const shapes = ({ hits }: Result) => new Set(hits.map((hit) => Object.keys(hit).toSorted().join()))
    expect(shapes(ours!)).toEqual(shapes(own!))
    expect(ours!.facets).toEqual(own!.facets)
    expect(ours!.nbHits).toBeGreaterThanOrEqual(own!.nbHits)
  })

  it('no hit is on two pages, and a chosen facet filters all of them', async () => {
    const { api } = await optimized()
    const refined = { facetFilters: [['kind:odd']], hitsPerPage: 5 }
    const seen: string[] = []
    for (const page of [0, 1, 2]) {
      const [result] = await resultsOf(api, searchFor(index.name, question, { ...refined, page }))
      expect(result!.hits).toHaveLength(5)
      expect(result!.hits.every((hit) => hit.kind === 'odd')).toBe(true)
      seen.push(...idsOf(result!))
    }
    expect(new Set(seen).size).toBe(15)
  })

  it("Searchkit's own query is re-ranked, and gets no hits of other words", async () => {
    const { at, passed } = await optimized()
    const search_settings = { search_attributes: ['title', 'text'], result_attributes: ['title'] }
    const asked = [searchFor(index.name, question, { facets: [] })]
    const bodies: object[] = []
    const beforeSearch = async (requests: readonly { readonly body: object }[]) => {
      bodies.push(...requests.map(({ body }) => body))
      return requests
    }
    const [own, ours] = await Promise.all(
      [url, at].map((host) =>
        createClient({ connection: { host }, search_settings }).handleRequest(asked, {
          hooks: { beforeSearch },
        }),
      ),
    )
    const known = new Set(idsOf(own!.results[0] as never))
    expect(idsOf(ours!.results[0] as never).length).toBe(known.size)
    expect(passed).toEqual([undefined])
    const alone = await fetch(`${at}/${index.name}/_search`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-querent-explain': 'header' },
      body: JSON.stringify(bodies[0]),
    })
    expect(alone.headers.get('x-querent')).toMatch(/^(un)?changed/)
  })

  it('InstantSearch searches, refines and turns pages', async () => {
    const { api, passed } = await optimized()
    const server = createServer(async (request, response) => {
      const { results } = await api(await json(request))
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ results }))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    const page = await openPage(index.name, `http://127.0.0.1:${port}/`)

    await page.act(({ search }) => search.refine(question))
    expect(page.ids()).toContain('james-joyce')
    const { facets, pages } = page.state()
    const counts = new Map(facets.items.map(({ value, count }) => [value, count]))
    expect([...counts.keys()].toSorted()).toEqual(['even', 'odd'])
    expect(pages.nbPages).toBeGreaterThan(1)
    const first = page.ids()

    await page.act(({ pages: turn }) => turn.refine(1))
    expect(page.ids().filter((id) => first.includes(id))).toEqual([])
    await page.act(({ facets: choose }) => choose.refine('odd'))
    expect(page.state().pages.nbHits).toBeGreaterThanOrEqual(counts.get('odd')!)
    expect(new Set(page.state().hits.items.map((hit) => hit.kind))).toEqual(new Set(['odd']))
    expect(passed.filter((reason) => reason === undefined)).toHaveLength(3)
  })
})

/** A page of InstantSearch without a screen: its widgets, and what they show. */
async function openPage(indexName: string, api: string) {
  const shown = new Map<keyof Shown, unknown>()
  const note =
    <Name extends keyof Shown>(name: Name) =>
    (of: Shown[Name]) =>
      void shown.set(name, of)
  const state = () => Object.fromEntries(shown) as unknown as Shown
  const page = instantsearch({ indexName, searchClient: createSearchClient({ url: api }) as never })
  page.addWidgets([
    connectSearchBox(note('search'))({}),
    connectHits(note('hits'))({}),
    connectRefinementList(note('facets'))({ attribute: 'kind' }),
    connectPagination(note('pages'))({}),
  ])
  /** Makes a change and waits until its results are shown. */
  const settled = (change: () => void) =>
    new Promise<void>((resolve) => {
      const before = page.helper?.lastResults
      const check = (): void => {
        if (page.status !== 'idle' || page.helper?.lastResults === before) return
        page.removeListener('render', check)
        resolve()
      }
      page.on('render', check)
      change()
    })
  await settled(() => page.start())
  onTestFinished(() => page.dispose())
  return {
    state,
    act: (change: (state: Shown) => void) => settled(() => change(state())),
    ids: () => state().hits.items.map(({ objectID }) => objectID),
  }
}
