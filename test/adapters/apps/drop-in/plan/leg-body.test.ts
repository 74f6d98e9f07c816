/** What is sent for each sub-query: the caller's body with other words, and nothing else of ours but depth and time. */
import { expect, it } from 'vitest'
import type { JsonObject } from '../../../../../adapters/apps/drop-in/parse/json.ts'
import { parseSearch, type SearchCall } from '../../../../../adapters/apps/drop-in/parse/parse-search.ts'
import { legTemplate } from '../../../../../adapters/apps/drop-in/plan/leg-body.ts'
import { differences } from '../../../../support/differences.ts'
import { capsOf, fakeEngine, found, run } from '../../../../support/fake-engine.ts'
import { type Example, exampleGroups, kindsIn, words } from '../../../../support/rewriting-examples.ts'
import { deciding } from '../../../../support/scripted-policy.ts'

const subQueries = ['golden gate', 'brooklyn bridge']
const options = { policy: deciding(subQueries), rerank: false }

const match = { match: { title: words } }
const knn = { field: 'vector', query_vector: [0.1, 0.2], k: 9 }
const noHits = { standard: { query: { match_none: {} } } }

/** The words of the caller again. */
const fill = (body: JsonObject): unknown => JSON.parse(JSON.stringify(body).replaceAll(subQueries[0]!, words))

async function legsOf(call: SearchCall, told?: { readonly query: string }, kinds: Example['kinds'] = {}) {
  const types = Object.fromEntries(
    Object.entries(kinds).map(([field, kind]) => [field, typeof kind === 'object' ? 'keyword' : 'text']),
  )
  const engine = fakeEngine(call, () => found('a'), { fieldCaps: (asked) => capsOf(asked, types) })
  await run(call, engine, { options, ...(told && { told }) })
  return engine.batches.find((batch) => batch.length === subQueries.length)!
}

it('filters, `must_not`, highlighting and all that shapes a hit are on every leg, as they are', async () => {
  const body = {
    query: {
      bool: {
        must: [{ match: { text: 'bridge' } }],
        filter: [{ term: { tenant: 'acme' } }, { match: { text: 'bridge' } }],
        must_not: { terms: { secret: ['bridge', 'x'] } },
      },
    },
    post_filter: { term: { open: true } },
    min_score: 0.5,
    _source: ['title'],
    fields: ['year'],
    docvalue_fields: ['n'],
    stored_fields: ['shelf'],
    script_fields: { s: { script: { source: '1', params: { text: 'bridge' } } } },
    highlight: { fields: { text: {} } },
    explain: true,
    version: true,
    collapse: { field: 'group', inner_hits: { name: 'more', size: 2 } },
    pit: { id: 'p', keep_alive: '1m' },
    runtime_mappings: { r: { type: 'long' } },
    search_pipeline: 's',
    terminate_after: 1000,
    // Of one leg alone.
    aggs: { a: { terms: { field: 'a' } } },
    suggest: { text: 'bridge' },
    profile: true,
    track_total_hits: 500,
    from: 10,
    size: 10,
  }
  const legs = await legsOf({ index: 'works', parameters: {}, body })
  expect(legs).toHaveLength(2)
  for (const [place, leg] of legs.entries())
    expect(differences(body, leg.body)).toEqual([
      { path: 'query.bool.must.0.match.text', before: 'bridge', after: subQueries[place] },
      { path: 'aggs', before: body.aggs, after: undefined },
      { path: 'suggest', before: body.suggest, after: undefined },
      { path: 'profile', before: true, after: undefined },
      { path: 'track_total_hits', before: 500, after: false },
      { path: 'from', before: 10, after: undefined },
      { path: 'size', before: 10, after: 8 },
      { path: 'timeout', before: undefined, after: '2000ms' },
    ])
})

it('logs a search of a user once: `ext.ubi` goes with the own search alone, other extensions with all', async () => {
  const rerank = { query_context: { query_text: 'bridge' } }
  const ubi = { query_id: 'q-1', user_query: 'bridge', client_id: 'c-1' }
  for (const [ext, onLegs] of [
    [{ ubi }, undefined],
    [{ ubi, rerank }, { rerank }],
    [{ rerank }, { rerank }],
  ]) {
    const body = { query: { match: { text: 'bridge' } }, ext }
    // Highlighting makes a second request for the beginning of the own list, and a third for what is shown.
    for (const more of [{}, { highlight: { fields: { text: {} } } }]) {
      const call = { index: 'works', parameters: {}, body: { ...body, ...more } }
      const engine = fakeEngine(call, ({ query }) => found(JSON.stringify(query)))
      await run(call, engine, { options: { ...options, rerank: true } })
      expect(engine.searches.map((change) => (change?.body ?? call.body).ext)).toEqual([ext])
      const legs = engine.batches.flat()
      expect(legs.length).toBeGreaterThanOrEqual(subQueries.length)
      expect(legs.map((leg) => leg.body.ext)).toEqual(legs.map(() => onLegs))
    }
  }
})

it.each(
  exampleGroups
    .slice(0, 6)
    .flatMap(({ heading, examples }) => examples.map((example) => ({ ...example, heading })))
    .filter(({ passes, ranks = '' }) => passes === undefined && !/no sub-queries|inside/.test(ranks)),
)('$heading: $name: a leg differs from the template in the slots alone', async (example) => {
  const { body, parameters = {}, slots, kinds } = example
  const call = { index: 'works', parameters, body }
  const legs = await legsOf(call, undefined, kinds)
  const understood = parseSearch(call, {}, { window: 100, kindsFor: kindsIn(example) })
  if ('reason' in understood) throw new Error(understood.reason)
  const template = legTemplate(understood, { count: 2, isReranked: false, timeout: 2000 })
  for (const [place, leg] of legs.entries())
    expect(differences(template, leg.body).filter(({ path }) => !ofHits.includes(path))).toEqual(
      slots
        ?.filter((path) => !ofHits.includes(path))
        .map((path) => ({ path, before: words, after: subQueries[place] })),
    )
})

it.each<readonly [string, JsonObject, JsonObject]>([
  ['beside the query', { query: match, knn }, { query: match }],
  ['several beside the query', { query: match, knn: [knn, knn] }, { query: match }],
  [
    'in `should`',
    { query: { bool: { should: [{ knn }, match] } } },
    { query: { bool: { should: [{ match_none: {} }, match] } } },
  ],
  [
    'in `hybrid`, which has a weight for each query',
    { query: { hybrid: { queries: [match, { knn }] } } },
    { query: { hybrid: { queries: [match, { match_none: {} }] } } },
  ],
  [
    'in `rrf`, which wants two retrievers',
    { retriever: { rrf: { retrievers: [{ standard: { query: match } }, { knn }] } } },
    { retriever: { rrf: { retrievers: [{ standard: { query: match } }, noHits] } } },
  ],
  [
    'in `linear`',
    {
      retriever: {
        linear: { retrievers: [{ retriever: { knn }, weight: 2 }, { standard: { query: match } }] },
      },
    },
    {
      retriever: {
        linear: { retrievers: [{ retriever: noHits, weight: 2 }, { standard: { query: match } }] },
      },
    },
  ],
])("a ready query vector %s is of the caller's words alone: legs go without", async (_, body, expected) => {
  const [leg] = await legsOf({ index: 'works', parameters: {}, body })
  const { query, knn: left, retriever } = fill(leg!.body) as JsonObject
  expect({ query, knn: left, retriever }).toEqual({
    knn: undefined,
    query: undefined,
    retriever: undefined,
    ...expected,
  })
})

it('what a model writes has no operators where they would be some, and is as it was elsewhere', async () => {
  const text = 'a +b -"c d" (e OR NOT f)~2 g* h:i \\ j/k? l’été x-y AND'
  const engineOf = async (clause: string) => {
    const body = {
      query: { bool: { should: [{ [clause]: { query: 'bridge' } }, { match: { title: 'bridge' } }] } },
    }
    const call = { index: 'works', parameters: {}, body }
    const engine = fakeEngine(call, () => found('a'))
    await run(call, engine, { options: { ...options, policy: deciding([text]) } })
    return engine.batches[0]![0]!.body
  }
  for (const clause of ['query_string', 'simple_query_string'])
    expect((await engineOf(clause)).query).toEqual({
      bool: {
        should: [
          { [clause]: { query: 'a b c d e or not f 2 g h i j k l’été x y and' } },
          { match: { title: text } },
        ],
      },
    })
})

it.each([
  { size: 10, count: 1, deep: 30 },
  { size: 10, count: 2, deep: 8 },
  { size: 10, count: 3, deep: 5 },
  { size: 10, count: 12, deep: 5 },
  { size: 7, count: 4, deep: 5 },
  { size: 40, count: 2, deep: 20 },
  { size: 40, count: 1, deep: 40 },
  { size: 100, count: 3, deep: 34 },
  // Never more than pages go through.
  { size: 4, count: 1, deep: 8, window: 8 },
])(
  '$count lists for pages of $size: $deep hits each, whatever the page',
  ({ size, count, deep, window = 100 }) => {
    const [first, later] = [0, size].map((from) => {
      const understood = parseSearch({ parameters: {}, body: { ...matching, from, size } }, {}, { window })
      if ('reason' in understood) return understood.reason
      const sizeOf = (isReranked: boolean) => legTemplate(understood, { count, isReranked, timeout: 1 }).size
      // Re-ranking reads 20 of each list, whatever the page.
      expect(sizeOf(true)).toBe(Math.min(Math.ceil(window / size) * size, 20))
      return sizeOf(false)
    })
    expect(first).toBe(deep)
    if (size < window) expect(later).toBe(deep)
  },
)

/** What legs may go without: what hits bring along. */
const ofHits = [
  ...['_source', 'fields', 'stored_fields', 'docvalue_fields', 'script_fields', 'highlight', 'explain'],
  ...['version', 'seq_no_primary_term', 'size'],
]

const matching = { query: { match: { text: 'a' } } }

it("the shorter of both timeouts is the engine's", () => {
  const timeoutOf = (own: unknown, ours: number | undefined): unknown => {
    const body = { query: { match: { text: 'a' } }, ...(own !== undefined && { timeout: own }) }
    const understood = parseSearch({ parameters: {}, body }, {}, { window: 100 })
    if ('reason' in understood) throw new Error(understood.reason)
    return legTemplate(understood, { count: 3, isReranked: false, timeout: ours }).timeout
  }
  expect(timeoutOf(undefined, 1500.2)).toBe('1501ms')
  expect(timeoutOf('1s', 2000)).toBe('1s')
  expect(timeoutOf('5s', 2000)).toBe('2000ms')
  expect(timeoutOf('100ms', 2000)).toBe('100ms')
  expect(timeoutOf('1m', 2000)).toBe('2000ms')
  // What cannot be read is not known to be shorter.
  for (const odd of ['-1', '500micros', 7, '1.5s', null]) expect(timeoutOf(odd, 2000)).toBe('2000ms')
  expect(timeoutOf('7d', undefined)).toBe('7d')
  expect(timeoutOf(undefined, undefined)).toBeUndefined()
})

it('a slot outside of what a leg takes along leaves nothing of it behind', async () => {
  const body = {
    query: { match: { text: '{{query}}' } },
    suggest: { text: '{{query}}', s: { term: { field: 'text' } } },
    aggs: { a: { filters: { filters: [{ match: { text: '{{query}}' } }] } } },
  }
  const legs = await legsOf({ index: 'works', parameters: {}, body }, { query: 'bridge' })
  expect(legs.map((leg): JsonObject => leg.body)).toEqual(
    subQueries.map((text) => ({
      query: { match: { text } },
      size: 8,
      track_total_hits: false,
      timeout: '2000ms',
    })),
  )
})

it("words that were told are in the caller's own search, everywhere", async () => {
  const body = { query: { match: { text: '{{query}}' } }, suggest: { text: '{{query}}' } }
  const call = { index: 'works', parameters: { routing: 'a' }, body }
  const engine = fakeEngine(call, () => found('a'))
  await run(call, engine, { options, told: { query: 'bridge' } })
  expect(engine.searches).toEqual([
    {
      url: { routing: 'a' },
      body: { query: { match: { text: 'bridge' } }, suggest: { text: 'bridge' } },
    },
  ])
})

it('repeats and the words themselves are not searched again', async () => {
  const call = { index: 'works', parameters: {}, body: { query: { match: { text: 'bridge' } } } }
  const engine = fakeEngine(call, () => found('a'))
  await run(call, engine, { options: { policy: deciding(['Bridge ', 'a', 'A', ' ', '']) } })
  expect(engine.batches[0]?.map(({ body }) => body.query)).toEqual([{ match: { text: 'a' } }])
})
