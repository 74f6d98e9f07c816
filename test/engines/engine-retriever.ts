/**
 * What the retrievers over Elasticsearch and OpenSearch do on a real server. What either's test is:
 *
 *     describeEngineRetriever(await connectElasticsearch({ url }))
 */
import { describe, expect, it } from 'vitest'
import type { Cluster } from '../../adapters/search/cluster/cluster.ts'
import { clusterDocuments } from '../../adapters/search/cluster/documents.ts'
import type { ClusterRetrieverOptions } from '../../adapters/search/cluster/options.ts'
import { type ClusterRetriever, clusterRetriever } from '../../adapters/search/cluster/retriever.ts'
import { withFilters } from '../../policies/filters/with-filters.ts'
import { none } from '../../policies/none.ts'
import { createOptimizer } from '../../src/optimizer.ts'
import type { Leg, RetrieveOptions, Retriever, SubQuery } from '../../src/types.ts'
import { library, testRetriever } from '../adapters/search/conformance.ts'
import { hashEmbedder } from '../support/hash-embedder.ts'
import { testIndex, testIndexName } from './test-index.ts'

/** A filter of the engine that leaves out one document. */
const without = (docid: string): object => ({ bool: { must_not: { term: { docid } } } })

const subQueries = (...texts: readonly string[]): SubQuery[] => texts.map((text) => ({ text, round: 1 }))

async function search(
  retriever: Retriever,
  text: string,
  options: Partial<RetrieveOptions> = {},
): Promise<Leg> {
  return (await retriever.retrieve(subQueries(text), { k: 10, ...options }))[0]!
}

async function docids(retriever: Retriever, text: string, options: Partial<RetrieveOptions> = {}) {
  const leg = await search(retriever, text, options)
  if (leg.error !== undefined) throw leg.error
  return leg.hits.map(({ docid }) => docid)
}

export function describeEngineRetriever(connected: Cluster): void {
  // Retrievers close their engine, and there are many on this one.
  const engine: Cluster = { ...connected, close: async () => {} }

  testRetriever({
    name: `${engine.kind}, words`,
    without,
    async create(documents, options) {
      const index = await testIndex(engine, documents, options)
      return clusterRetriever(engine, { index, tieBreak: 'docid' })
    },
  })

  describe(`${engine.kind}`, () => {
    const over = async (options: Partial<ClusterRetrieverOptions> = {}): Promise<ClusterRetriever> =>
      clusterRetriever(engine, { index: await testIndex(engine, library), ...options })

    it('brings title and text along', async () => {
      const [hit] = (await search(await over(), 'rye bread')).hits!
      expect(hit?.document).toEqual(library[2])
      const [bare] = (await search(await over({ source: false }), 'rye bread')).hits!
      expect(bare).not.toHaveProperty('document')
    })

    it('searches several fields, with boosts', async () => {
      const two = [
        { docid: 'title', title: 'Oboe', text: 'an instrument of wood among others' },
        { docid: 'text', title: 'Instruments', text: 'oboe oboe oboe' },
      ]
      const index = await testIndex(engine, two)
      const first = async (options: Partial<ClusterRetrieverOptions>) =>
        (await docids(clusterRetriever(engine, { index, ...options }), 'oboe'))[0]
      expect(await first({ fields: ['title^9', 'text'] })).toBe('title')
      expect(await first({ fields: ['title', 'text^9'] })).toBe('text')
      expect(await first({ fields: ['text'] })).toBe('text')
    })

    it("searches with a body of one's own", async () => {
      const body = {
        query: { bool: { must: { match: { title: '{{query}}' } }, must_not: { term: { docid: 'd5' } } } },
      }
      const retriever = await over({ body })
      expect(await docids(retriever, 'Glacier Harbour oboe')).toEqual(['d2'])
    })

    it('finds only what the filters let through', async () => {
      const retriever = await over({ filter: { terms: { docid: ['d4', 'd5', 'd6'] } } })
      expect((await docids(retriever, 'river oboe fog')).sort()).toEqual(['d4', 'd5', 'd6'])
      const filter = { bool: { must_not: { term: { docid: 'd6' } } } }
      expect((await docids(retriever, 'river oboe fog', { filter })).sort()).toEqual(['d4', 'd5'])
      const caller = retriever.for({ filter: [{ term: { docid: 'd4' } }] })
      expect(await docids(caller, 'river oboe fog', { filter })).toEqual(['d4'])
      expect(await docids(caller, 'river oboe fog', { filter: [{ term: { docid: 'd5' } }] })).toEqual([])
    })

    it('finds by filters that are read out of the words, with the values of one request', async () => {
      const index = testIndexName(engine)
      const properties = {
        text: { type: 'text' },
        brand: { type: 'keyword' },
        price: { type: 'float' },
        released: { type: 'date' },
        waterproof: { type: 'boolean' },
      }
      await engine.send({
        name: 'indices.create',
        method: 'PUT',
        path: `/${index}`,
        body: { mappings: { properties } },
      })
      const boots = [
        { brand: 'Northwind', price: 120, released: '2018-03-01', waterproof: true },
        { brand: 'Aurora', price: 45.5, released: '2021-06-30', waterproof: false },
        { brand: 'Zephyr', price: 60, released: '2024-01-15', waterproof: true },
      ].map((facts, place) => ({ id: `p${place}`, source: { text: 'a light boot', ...facts } }))
      await engine.write(index, boots)
      await engine.send({ name: 'indices.refresh', method: 'POST', path: `/${index}/_refresh` })

      const paths: string[] = []
      const noting: Cluster = {
        ...engine,
        send(request, call) {
          paths.push(request.path)
          return engine.send(request, call)
        },
      }
      const retriever = clusterRetriever(noting, { index, fields: ['text'] })
      const fields = { brand: 'keyword', price: 'EUR', released: 'date', waterproof: 'flag' }
      const { search: find } = createOptimizer({
        retrievers: [retriever],
        policy: withFilters(none(), { fields }),
      })
      const read = async (text: string, filter?: object) => {
        const { hits, trace } = await find({ text, ...(filter && { filter }) })
        expect(trace.partial).toBe(false)
        const step = trace.steps.find((one) => one.type === 'filter')
        expect(step?.error).toBeUndefined()
        return { docids: hits.map(({ docid }) => docid), read: step?.read }
      }
      expect((await read('light boot under 50 euros')).docids).toEqual(['p1', 'p0', 'p2'])
      expect((await read('light boot since 2022')).docids[0]).toBe('p2')
      expect((await read('light waterproof boot not by Northwind')).docids[0]).toBe('p2')
      expect(await read('light boot by aurora released in 2021')).toMatchObject({
        docids: ['p1', 'p0', 'p2'],
        read: [
          { condition: { field: 'brand', is: ['Aurora'] } },
          { condition: { field: 'released', gte: '2021-01-01', lt: '2022-01-01' } },
        ],
      })
      // Nothing is below 45.5, and the aggregations are asked once.
      expect((await read('light boot under 20 euros')).read).toMatchObject([{ dropped: 'empty' }])
      expect(paths.filter((path) => path.endsWith('/_search'))).toHaveLength(1)
      // Values that the caller's filter hides are not known, and nothing is found beyond it.
      const hidden = { bool: { must_not: { term: { brand: 'Aurora' } } } }
      expect(await read('light boot by aurora', hidden)).toEqual({ docids: ['p0', 'p2'], read: undefined })
      expect(paths.filter((path) => path.endsWith('/_search'))).toHaveLength(2)
    })

    it('tells a failed search from one that found nothing', async () => {
      const retriever = await over({
        body: { query: { query_string: { query: '{{query}}', fields: ['text'] } } },
      })
      const legs = await retriever.retrieve(subQueries('oboe', 'oboe AND (', 'xylophone'), { k: 10 })
      expect(legs.map((leg) => leg.hits?.length)).toEqual([1, undefined, 0])
      expect(legs[1]?.error).toMatchObject({ name: 'ResponseError', statusCode: 400 })
    })

    it('has the error of an index that is not there on each leg', async () => {
      const retriever = clusterRetriever(engine, { index: 'querent-test-nowhere' })
      const legs = await retriever.retrieve(subQueries('oboe', 'fog'), { k: 10 })
      expect(legs.map(({ error }) => (error as { statusCode?: unknown }).statusCode)).toEqual([404, 404])
    })

    it('says what to do about more hits than an index gives', async () => {
      const { error } = await search(await over(), 'oboe', { k: 20_000 })
      expect(error?.message).toContain('index.max_result_window')
    })

    it('answers a deadline that leaves time', async () => {
      expect(await docids(await over(), 'oboe', { timeout: 30_000 })).toEqual(['d6'])
    })

    it('tells documents of one id apart, in two indexes and by their routing', async () => {
      const [one, two] = [await testIndex(engine, library), await testIndex(engine, library)]
      const alias = testIndexName(engine)
      const actions = [one, two].map((index) => ({ add: { index, alias } }))
      await engine.send({ name: 'aliases', method: 'POST', path: '/_aliases', body: { actions } })
      const expected = [`${one}/d6`, `${two}/d6`].sort()
      for (const index of [alias, [one, two], `${one},${two}`.split(',')]) {
        const retriever = clusterRetriever(engine, { index })
        expect((await docids(retriever, 'oboe')).sort()).toEqual(expected)
        const documents = clusterDocuments(engine, { index })
        expect(await documents.get([...expected, 'd6'])).toMatchObject([
          { docid: expected[0], title: 'Orchestra' },
          { docid: expected[1] },
          undefined,
        ])
      }
      expect(await docids(clusterRetriever(engine, { index: alias, docid: 'id' }), 'oboe')).toEqual(['d6'])

      const body = { docid: 'd6', contents: 'an oboe', text: 'an oboe' }
      const querystring = { routing: 'tenant 7', refresh: 'true' }
      const path = `/${one}/_doc/d6`
      await engine.send({ name: 'index', method: 'PUT', path, querystring, body })
      const routed = `${one}/d6?routing=tenant%207`
      expect((await docids(clusterRetriever(engine, { index: one }), 'oboe')).sort()).toContain(routed)
    })

    it('asks the shards of a routing only', async () => {
      const index = testIndexName(engine)
      const settings = { number_of_shards: 5 }
      await engine.send({ name: 'indices.create', method: 'PUT', path: `/${index}`, body: { settings } })
      for (const tenant of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']) {
        const querystring = { routing: tenant, refresh: 'true' }
        const body = { text: 'an oboe', tenant }
        await engine.send({
          name: 'index',
          method: 'PUT',
          path: `/${index}/_doc/${tenant}`,
          querystring,
          body,
        })
      }
      const retriever = clusterRetriever(engine, { index, fields: ['text'] })
      const all = await docids(retriever, 'oboe')
      const some = await docids(retriever.for({ routing: 'a' }), 'oboe')
      expect(all).toHaveLength(8)
      expect(some).toContain(`${index}/a?routing=a`)
      expect(some.length).toBeLessThan(8)
    })
  })

  describe(`documents of ${engine.kind}`, () => {
    it('are found by docid, counted, and read one after the other', async () => {
      const many = Array.from({ length: 2500 }, (_, number) => ({
        docid: `n${number}`,
        text: `number ${number}`,
      }))
      const index = await testIndex(engine, many)
      const documents = clusterDocuments(engine, { index })
      expect(await documents.count()).toBe(2500)
      const wanted = ['n7', 'nowhere', 'n2499', 'n7']
      expect(await documents.get(wanted)).toEqual([many[7], undefined, many[2499], many[7]])
      expect(await documents.get([])).toEqual([])
      const ids = clusterDocuments(engine, { index, source: false })
      expect(await ids.has(wanted)).toEqual([true, false, true, true])
      const all: string[] = []
      for await (const { docid } of documents.all()) all.push(docid)
      expect(all.sort()).toEqual(many.map(({ docid }) => docid).sort())
    })

    it('are those that the filter lets through', async () => {
      const index = await testIndex(engine, library)
      const documents = clusterDocuments(engine, { index, filter: { term: { docid: 'd1' } } })
      expect(await documents.get(['d1', 'd2'])).toEqual([library[0], undefined])
      expect(await documents.has(['d1', 'd2'])).toEqual([true, false])
      expect(await documents.count()).toBe(1)
    })
  })
}

/** What a retriever does with vectors, on a server that has them. */
export function describeEngineVectors(connected: Cluster): void {
  const engine: Cluster = { ...connected, close: async () => {} }
  const embedder = hashEmbedder()

  testRetriever({
    name: `${engine.kind}, vectors`,
    without,
    async create(documents, options) {
      const index = await testIndex(engine, documents, { dense: embedder, ...options })
      const vector = { field: 'vector', embedder }
      const retriever = clusterRetriever(engine, { index, fields: false, vector, tieBreak: 'docid' })
      // Its one list has a name of its own.
      return { ...retriever, name: retriever.legs[0]!.name }
    },
    gaps: [
      {
        reason: 'every text has a nearest vector',
        tests: ['finds nothing for words that no document has', 'finds nothing for a query without words'],
      },
    ],
  })

  describe(`${engine.kind} with vectors`, () => {
    it('answers a list of words and one of vectors a sub-query, in one request', async () => {
      const index = await testIndex(engine, library, { dense: embedder })
      let requests = 0
      const counting: Cluster = {
        ...engine,
        send(request, call) {
          requests++
          return engine.send(request, call)
        },
      }
      const vector = { field: 'vector', embedder }
      const retriever = clusterRetriever(counting, { index, name: 'cluster', vector })
      const asked = subQueries('rye bread', 'glacier', 'a ferry in 1983')
      const legs = await retriever.retrieve(asked, { k: 3 })
      expect(requests).toBe(1)
      expect(legs.map((leg) => [leg.retriever, leg.subQuery.text, leg.hits?.[0]?.docid])).toEqual([
        ['cluster', 'rye bread', 'd3'],
        ['cluster-vector', 'rye bread', 'd3'],
        ['cluster', 'glacier', 'd5'],
        ['cluster-vector', 'glacier', 'd5'],
        ['cluster', 'a ferry in 1983', 'd4'],
        ['cluster-vector', 'a ferry in 1983', 'd4'],
      ])
    })

    it('finds words where there are no vectors to compare with', async () => {
      const index = await testIndex(engine, library, { dense: embedder })
      const vector = { field: 'vector', embedder: hashEmbedder({ dimensions: 64 }) }
      const [words, vectors] = await clusterRetriever(engine, { index, vector }).retrieve(
        subQueries('oboe'),
        {
          k: 3,
        },
      )
      expect(words?.hits).toHaveLength(1)
      expect(vectors?.error).toMatchObject({ name: 'ResponseError', statusCode: 400 })
    })

    it('gives the nearest that the filters let through, however far the others are', async () => {
      const many = Array.from({ length: 400 }, (_, number) => ({ docid: `n${number}`, text: 'oboe oboe' }))
      const index = await testIndex(engine, [...many, ...library], { dense: embedder })
      const vector = { field: 'vector', embedder, numCandidates: 10 }
      const retriever = clusterRetriever(engine, { index, fields: false, vector })
      const filter = { terms: { docid: ['d1', 'd2'] } }
      expect((await docids(retriever, 'oboe', { filter })).sort()).toEqual(['d1', 'd2'])
    })
  })
}
