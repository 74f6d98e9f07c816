import { describe, expect, it } from 'vitest'
import type { ClusterRetrieverOptions } from '../../../../adapters/search/cluster/options.ts'
import { clusterRetriever } from '../../../../adapters/search/cluster/retriever.ts'
import type { Embedder, SparseEncoder, SubQuery } from '../../../../src/types.ts'
import { expectError } from '../../../support/expect-error.ts'
import { manualClock } from '../../../support/manual-clock.ts'
import { scriptedEngine } from './scripted-engine.ts'

const subQueries = (...texts: readonly string[]): SubQuery[] => texts.map((text) => ({ text, round: 1 }))

const embedder: Embedder = {
  name: 'scripted',
  dimensions: 2,
  embed: async (texts) => texts.map(({ length }) => Float32Array.of(length, 0)),
}
const vector = { field: 'v', embedder }

/** Weighs each word by its length. */
const encoder: SparseEncoder = {
  name: 'scripted',
  encode: async (texts) =>
    texts.map((text) => new Map(text.split(' ').map((word) => [word, word.length] as const))),
}
const sparse = { field: 'w', encoder }

/** What a retriever with these options sends for a sub-query. */
async function sentFor(options: Partial<ClusterRetrieverOptions>, request: object = {}) {
  const engine = scriptedEngine()
  const retriever = clusterRetriever(engine, { index: 'mine', ...options })
  await retriever.retrieve(subQueries('red fox'), { k: 7, ...request })
  return { searches: engine.searches(), ...engine.sent[0]! }
}

describe('engineRetriever', () => {
  it('sends all sub-queries and legs in one _msearch and gives their legs in order', async () => {
    const engine = scriptedEngine()
    const retriever = clusterRetriever(engine, { index: ['mine', 'a/b'], name: 'cluster', vector })
    const asked = subQueries('red', 'green fox')
    const legs = await retriever.retrieve(asked, { k: 7 })
    expect(engine.sent).toHaveLength(1)
    expect(engine.sent[0]!.request).toMatchObject({ method: 'POST', path: '/mine,a%2Fb/_msearch' })
    expect(engine.searches().map(({ body }) => body.query)).toEqual([
      { match: { contents: { query: 'red' } } },
      { nearest: { field: 'v', vector: [3, 0], candidates: 150, filters: [] } },
      { match: { contents: { query: 'green fox' } } },
      { nearest: { field: 'v', vector: [9, 0], candidates: 150, filters: [] } },
    ])
    expect(retriever.legs).toEqual([
      { name: 'cluster', kind: 'lexical' },
      { name: 'cluster-vector', kind: 'dense' },
    ])
    expect(legs).toEqual(
      asked.flatMap((subQuery) =>
        retriever.legs.map(({ name }) => ({ retriever: name, subQuery, hits: [] })),
      ),
    )
  })

  it('asks for k hits with title and text, and for no more', async () => {
    const { searches } = await sentFor({})
    expect(searches).toEqual([
      {
        header: {},
        body: {
          query: { match: { contents: { query: 'red fox' } } },
          size: 7,
          _source: ['title', 'text'],
          track_total_hits: false,
        },
      },
    ])
  })

  it('is called after its engine unless it has a name', () => {
    expect(clusterRetriever(scriptedEngine(), { index: 'mine' })).toMatchObject({
      name: 'elasticsearch',
      legs: [{ name: 'elasticsearch', kind: 'lexical' }],
    })
    expect(clusterRetriever(scriptedEngine(), { index: 'mine', fields: false, vector }).legs).toEqual([
      { name: 'elasticsearch-vector', kind: 'dense' },
    ])
  })

  it("puts filters around a body of one's own, which keeps what it has", async () => {
    const body = { query: { multi_match: { query: '{{query}}', fields: ['a'] } }, min_score: 2, size: 500 }
    const { searches } = await sentFor({ body, filter: { term: { tenant: 7 } } })
    expect(searches[0]!.body).toEqual({
      query: {
        bool: {
          must: [{ multi_match: { query: 'red fox', fields: ['a'] } }],
          filter: [{ term: { tenant: 7 } }],
        },
      },
      min_score: 2,
      size: 7,
      _source: ['title', 'text'],
      track_total_hits: false,
    })
  })

  it.each([null, 'tenant:7', 7, [['x']], [{ term: {} }, 'x']])('refuses the filter %j', async (filter) => {
    const retriever = clusterRetriever(scriptedEngine(), { index: 'mine' })
    await expectError(retriever.retrieve(subQueries('fox'), { k: 7, filter }), 'bad-config')
  })

  it('breaks ties by a field', async () => {
    const { searches } = await sentFor({ tieBreak: 'docid' })
    expect(searches[0]!.body.sort).toEqual([
      { _score: 'desc' },
      { docid: { order: 'asc', unmapped_type: 'keyword' } },
    ])
  })

  it('sends headers, routing and preference, those of a caller first, and once only', async () => {
    const engine = scriptedEngine()
    const retriever = clusterRetriever(engine, {
      index: 'mine',
      routing: 'a',
      preference: 'p',
      headers: { Authorization: 'ApiKey own', 'X-A': '1' },
    })
    const headers = { authorization: 'Basic eve', 'es-security-runas-user': 'eve' }
    await retriever.for({ headers, routing: 'eve' }).retrieve(subQueries('fox'), { k: 7 })
    expect(engine.sent[0]!.call).toMatchObject({ headers: { ...headers, 'x-a': '1' }, retries: 0 })
    expect(engine.searches()[0]!.header).toEqual({ routing: 'eve', preference: 'p' })

    await retriever.retrieve(subQueries('fox'), { k: 7 })
    expect(engine.sent[1]!.call.headers).toEqual({ authorization: 'ApiKey own', 'x-a': '1' })
    expect(engine.searches()[0]!.header).toEqual({ routing: 'a', preference: 'p' })
  })

  it('tells engine and client how long they have', async () => {
    const { searches, call } = await sentFor({}, { timeout: 2000 })
    expect(searches[0]!.body.timeout).toBe('1800ms')
    expect(call.timeout).toBeLessThanOrEqual(2000)
    expect(call.timeout).toBeGreaterThan(1000)
  })

  it('takes the time of embedding from that of the client', async () => {
    const clock = manualClock()
    const slow: Embedder = {
      ...embedder,
      embed: (texts, options) =>
        new Promise((resolve) => clock.after(600, () => resolve(embedder.embed(texts, options)))),
    }
    const engine = scriptedEngine()
    const retriever = clusterRetriever(
      engine,
      { index: 'mine', vector: { field: 'v', embedder: slow } },
      clock,
    )
    const legs = retriever.retrieve(subQueries('fox'), { k: 7, timeout: 2000 })
    await clock.advance(600)
    expect(await legs).toHaveLength(2)
    expect(engine.sent[0]!.call.timeout).toBe(1400)
  })

  it('searches the words where embedding fails', async () => {
    const failure = new Error('the model is gone')
    const failing = { ...embedder, embed: () => Promise.reject(failure) }
    const engine = scriptedEngine()
    const options = { index: 'mine', vector: { field: 'v', embedder: failing } }
    const [words, vectors] = await clusterRetriever(engine, options).retrieve(subQueries('fox'), { k: 7 })
    expect(words?.hits).toEqual([])
    expect(vectors?.error).toBe(failure)
    expect(engine.searches()).toHaveLength(1)

    const weightless = { name: 'failing', encode: () => Promise.reject(failure) }
    const weighed = { index: 'mine', sparse: { field: 'w', encoder: weightless } }
    const both = await clusterRetriever(engine, weighed).retrieve(subQueries('fox'), { k: 7 })
    expect(both.map((leg) => leg.hits ?? leg.error)).toEqual([[], failure])

    const only = clusterRetriever(engine, { ...options, fields: false })
    expect((await only.retrieve(subQueries('fox'), { k: 7 }))[0]?.error).toBe(failure)
    expect(engine.sent).toHaveLength(2)
  })

  it("looks for as many neighbors as it is told, for half as many again as hits, for the engines' most", async () => {
    const candidates = async (k: number, numCandidates?: number) => {
      const engine = scriptedEngine()
      const options = { index: 'mine', fields: false, vector: { ...vector, numCandidates } } as const
      await clusterRetriever(engine, options).retrieve(subQueries('fox'), { k })
      return (engine.searches()[0]!.body.query as { nearest: { candidates: number } }).nearest.candidates
    }
    expect(await candidates(10)).toBe(150)
    expect(await candidates(1000)).toBe(1500)
    expect(await candidates(9000)).toBe(10_000)
    expect(await candidates(10, 40)).toBe(40)
    expect(await candidates(100, 40)).toBe(100)
  })

  it('adds a leg of weights, computed here or by the cluster', async () => {
    const sent = async (options: Partial<ClusterRetrieverOptions>) => {
      const engine = scriptedEngine()
      const retriever = clusterRetriever(engine, { index: 'mine', ...options })
      const legs = await retriever.retrieve(subQueries('red fox', 'bear'), { k: 7 })
      expect(engine.sent).toHaveLength(1)
      return { legs: legs.map((leg) => leg.retriever), bodies: engine.searches().map(({ body }) => body) }
    }
    const { legs, bodies } = await sent({ vector, sparse })
    expect(legs).toEqual(
      ['', '-vector', '-sparse', '', '-vector', '-sparse'].map((end) => `elasticsearch${end}`),
    )
    expect([bodies[2], bodies[5]]).toEqual(
      [{ red: 3, fox: 3 }, { bear: 4 }].map((weights) => ({
        query: { weighted: { field: 'w', weights } },
        size: 7,
        _source: ['title', 'text'],
        track_total_hits: false,
      })),
    )
    expect((await sent({ fields: false, sparse: { field: 'w' } })).bodies[1]!.query).toEqual({
      weighedByCluster: { field: 'w', text: 'bear', inference: undefined },
    })
    const byName = { field: 'w', inference: 'elser' }
    expect((await sent({ fields: false, sparse: byName })).bodies[1]!.query).toEqual({
      weighedByCluster: { ...byName, text: 'bear' },
    })
    expect(
      (await sent({ fields: false, sparse: { ...sparse, rankFeatures: true } })).bodies[0]!.query,
    ).toEqual({
      bool: {
        should: [
          { rank_feature: { field: 'w.red', linear: {}, boost: 3 } },
          { rank_feature: { field: 'w.fox', linear: {}, boost: 3 } },
        ],
      },
    })
    expect(clusterRetriever(scriptedEngine(), { index: 'mine', fields: false, sparse }).legs).toEqual([
      { name: 'elasticsearch-sparse', kind: 'sparse' },
    ])
  })

  it('searches by the heaviest words, and finds nothing without any', async () => {
    const sent = async (text: string, options: Partial<ClusterRetrieverOptions>) => {
      const engine = scriptedEngine()
      const none = { ...encoder, encode: async () => [new Map([['red', 0]])] }
      const one = { ...sparse, ...(text === '' && { encoder: none }) }
      const retriever = clusterRetriever(engine, { index: 'mine', fields: false, sparse: one, ...options })
      await retriever.retrieve(subQueries(text), { k: 7, filter: { term: { tenant: 7 } } })
      const { must, filter } = (engine.searches()[0]!.body.query as { bool: Record<string, unknown> }).bool
      expect(filter).toEqual([{ term: { tenant: 7 } }])
      return must
    }
    expect(await sent('a small bear sleeps', { maxWords: 2 })).toEqual([
      { weighted: { field: 'w', weights: { sleeps: 6, small: 5 } } },
    ])
    expect(await sent('', {})).toEqual([{ match_none: {} }])
    const features = { sparse: { ...sparse, rankFeatures: true } }
    expect(await sent('a.b', features)).toEqual([{ match_none: {} }])
  })

  it('divides the words that engines take between the fields', async () => {
    const long = Array.from({ length: 2000 }, (_, index) => `w${index}`).join(' ')
    const searched = async (options: Partial<ClusterRetrieverOptions>) => {
      const engine = scriptedEngine()
      await clusterRetriever(engine, { index: 'mine', ...options }).retrieve(subQueries(long), { k: 7 })
      return JSON.stringify(engine.searches()[0]!.body).match(/w\d+/g)?.length
    }
    expect(await searched({})).toBe(1000)
    expect(await searched({ fields: ['a', 'b', 'c', 'd'] })).toBe(250)
    expect(await searched({ maxWords: 10 })).toBe(10)
  })

  it.each<[string, object]>([
    ['index', {}],
    ['index', { index: [] }],
    ['fields', { index: 'mine', fields: ['a'], body: { query: { match: { a: '{{query}}' } } } }],
    ['nothing to search', { index: 'mine', fields: false }],
    ['{{query}}', { index: 'mine', body: { query: { match_all: {} } } }],
    ['`query`', { index: 'mine', body: { knn: {} } }],
    ['`knn`', { index: 'mine', body: { query: { match: { a: '{{query}}' } }, knn: {} } }],
    ['type', { index: 'mine', type: 'phrase' }],
    ['filter', { index: 'mine', filter: 'tenant:7' }],
    ['embedder', { index: 'mine', vector: { field: 'v' } }],
    ['numCandidates', { index: 'mine', vector: { ...vector, numCandidates: 20_000 } }],
    ['field', { index: 'mine', field: 'contents' }],
    ['sparse.field', { index: 'mine', sparse: { encoder } }],
    ['encoder', { index: 'mine', sparse: { field: 'w', encoder: 'splade' } }],
    ['`inference`', { index: 'mine', sparse: { ...sparse, inference: 'elser' } }],
    ['`rankFeatures`', { index: 'mine', sparse: { field: 'w', rankFeatures: true } }],
  ])('names what is wrong: %s', (word, options) => {
    const make = () => clusterRetriever(scriptedEngine(), options as ClusterRetrieverOptions)
    expectError(make, 'bad-config', word)
  })

  it('refuses a caller that it does not understand', () => {
    const retriever = clusterRetriever(scriptedEngine(), { index: 'mine' })
    const caller = { header: {} } as object
    expectError(() => retriever.for(caller), 'bad-config')
  })
})
