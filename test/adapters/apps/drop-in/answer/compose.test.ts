/** One answer made of several: every rule, with its values worked out in the open. */
import { describe, expect, it } from 'vitest'
import { type Composition, compose } from '../../../../../adapters/apps/drop-in/answer/compose.ts'
import { hitsOf, identity } from '../../../../../adapters/apps/drop-in/answer/engine-answer.ts'
import type { JsonObject } from '../../../../../adapters/apps/drop-in/parse/json.ts'
import type { RewritableSearch } from '../../../../../adapters/apps/drop-in/parse/parse-search.ts'
import { parseAnswer } from '../../../../../adapters/apps/proxy/json.ts'
import { answerOf, found } from '../../../../support/fake-engine.ts'

const original = answerOf(found('a', 'b', 'c'))
const first = answerOf(found('d', 'a'))
const second = answerOf(found('e', 'b', 'd'))

/** An answer composed of the hits of all, the original first. */
function composed(more: Partial<Composition> & { readonly body?: JsonObject } = {}): JsonObject {
  const { body = {}, ...rest } = more
  const parts = { original, others: [first, second], ...rest }
  const all = [parts.original, ...parts.others].flatMap((answer) => hitsOf(answer, () => undefined))
  const given = new Map([...all].reverse().map((hit) => [hit.docid, hit.given]))
  return compose({
    understood: { body, page: { from: 0, size: 10, depth: 100 } } as unknown as RewritableSearch,
    hits: [...given.keys()].sort().map((docid, place) => ({ docid, score: 5 - place, rank: place + 1 })),
    own: [],
    isLogarithmic: false,
    given: (docid) => given.get(docid),
    took: 12.4,
    ...parts,
  })
}
const hitsIn = (answer: JsonObject) => answer.hits as JsonObject & { readonly hits: readonly JsonObject[] }
const shards = (total: number, failed = 0, skipped = 0): JsonObject => ({
  _shards: {
    total,
    successful: total - failed,
    skipped,
    failed,
    ...(failed > 0 && { failures: [{ shard: total }] }),
  },
})

it('composes an answer of all searches', () =>
  expect(composed()).toEqual({
    took: 12,
    timed_out: false,
    _shards: { total: 3, successful: 3, skipped: 0, failed: 0 },
    hits: {
      // Five documents: the original counted three.
      total: { value: 5, relation: 'gte' },
      max_score: 5,
      hits: [
        { ...found('a', 'b', 'c')[0], _score: 5 },
        { ...found('a', 'b', 'c')[1], _score: 4 },
        { ...found('a', 'b', 'c')[2], _score: 3 },
        { ...found('d', 'a')[0], _score: 2 },
        { ...found('e', 'b', 'd')[0], _score: 1 },
      ],
    },
  }))

it.each([false, true])(
  "shows the caller's own hits behind the fused ones, with a score of 0: re-ranked %s",
  (isLogarithmic) => {
    const hits = [{ docid: identity(found('b')[0]!), score: 2, rank: 1 }]
    const own = hitsOf(original, () => undefined)
    const { hits: shown, total, max_score } = hitsIn(composed({ hits, own, isLogarithmic }))
    expect(shown.map(({ _id }) => _id)).toEqual(['b', 'a', 'c'])
    expect(shown.map(({ _score }) => _score)).toEqual([max_score, 0, 0])
    expect(total).toMatchObject({ value: 3 })
  },
)

describe('the total', () => {
  const totalOf = (total: unknown, more: Partial<Composition> = {}) =>
    hitsIn(composed({ original: { ...original, hits: { ...hitsIn(original), total } }, ...more })).total

  it("is at least what the caller's own search counted", () =>
    expect(totalOf({ value: 812, relation: 'eq' })).toEqual({ value: 812, relation: 'gte' }))

  it('is at least the length of the fused list', () =>
    expect(totalOf({ value: 3, relation: 'eq' })).toEqual({ value: 5, relation: 'gte' }))

  it('is what was counted where counting ended early', () =>
    expect(totalOf({ value: 10_000, relation: 'gte' })).toEqual({ value: 10_000, relation: 'gte' }))

  it('is a number where the caller wants a number', () => {
    expect(totalOf(812)).toBe(812)
    expect(totalOf(3)).toBe(5)
  })

  it('is missing where the caller does not count', () => {
    expect(hitsIn(composed({ original: answerOf(found('a'), { counts: false }) }))).not.toHaveProperty(
      'total',
    )
    expect(totalOf(-1)).toBe(-1)
    expect(totalOf(null)).toBeNull()
  })

  it("is the engine's own where no other search took part", () =>
    expect(totalOf({ value: 2, relation: 'eq' }, { others: [] })).toEqual({ value: 2, relation: 'eq' }))

  it('counts no hits beyond the last page', () => {
    const understood = { body: {}, page: { from: 0, size: 2, depth: 4 } } as unknown as RewritableSearch
    expect(totalOf({ value: 3, relation: 'eq' }, { understood })).toEqual({ value: 4, relation: 'gte' })
  })
})

describe('the shards', () => {
  it('are summed over all searches, with their failures', () =>
    expect(
      composed({
        original: { ...original, ...shards(5, 1, 2) },
        others: [
          { ...first, ...shards(3) },
          { ...second, ...shards(2, 2) },
        ],
      })._shards,
    ).toEqual({ total: 10, successful: 7, skipped: 2, failed: 3, failures: [{ shard: 5 }, { shard: 2 }] }))

  it('are zero for an answer without them', () =>
    expect(
      composed({ original: { hits: original.hits }, others: [{ hits: first.hits, ...shards(2) }] })._shards,
    ).toEqual({
      total: 2,
      successful: 2,
      skipped: 0,
      failed: 0,
    }))
})

it('timed_out is true where it is for one search', () => {
  expect(composed({ others: [first, { ...second, timed_out: true }] }).timed_out).toBe(true)
  expect(composed({ original: { ...original, timed_out: true } }).timed_out).toBe(true)
})

it('terminated_early is true where it is for one search', () => {
  expect(composed()).not.toHaveProperty('terminated_early')
  expect(composed({ original: { ...original, terminated_early: false } }).terminated_early).toBe(false)
  expect(composed({ others: [{ ...first, terminated_early: true }] }).terminated_early).toBe(true)
})

it('pit_id is the last one', () => {
  expect(composed({ original: { ...original, pit_id: 'one' } }).pit_id).toBe('one')
  const others = [
    { ...first, pit_id: 'two' },
    { ...second, pit_id: 'three' },
  ]
  expect(composed({ original: { ...original, pit_id: 'one' }, others }).pit_id).toBe('three')
  expect(composed({ original: { ...original, pit_id: 'one' }, others: [first] }).pit_id).toBe('one')
})

it("keeps aggregations, suggestions and the profile of the caller's own search", () => {
  const own = {
    aggregations: { 'sterms#a': { buckets: [] } },
    suggest: { s: [] },
    profile: { shards: [] },
    _clusters: { total: 2 },
    num_reduce_phases: 3,
    phase_took: { query: 1 },
    // The id under which OpenSearch's plugin logged the search.
    ext: { ubi: { query_id: 'q-1' } },
  }
  const others = [{ ...first, aggregations: { a: 'another' }, profile: {}, processor_results: [] }]
  const answer = composed({ original: { ...original, ...own }, others })
  expect(answer).toMatchObject(own)
  expect(answer).not.toHaveProperty('processor_results')
})

it('shows a hit as the engine gave it, except for its score and its sort values', () => {
  const rich = {
    ...found('a')[0],
    _score: 7.5,
    sort: [7.5],
    _routing: 'r',
    _version: 3,
    _seq_no: 4,
    _primary_term: 1,
    highlight: { text: ['<em>a</em>'] },
    fields: { year: [1883] },
    inner_hits: { parts: { hits: { hits: [] } } },
    matched_queries: ['q'],
    _explanation: { value: 7.5, details: [] },
    _ignored: ['x'],
  }
  const { sort: _, ...kept } = rich
  const [hit] = hitsIn(composed({ original: answerOf([rich]), others: [] })).hits
  expect(hit).toEqual({ ...kept, _score: 5 })
  expect(Object.keys(hit!)).toEqual(Object.keys(kept))
})

it('max_score is null without hits', () =>
  expect(hitsIn(composed({ original: answerOf([]), others: [answerOf([])] }))).toEqual({
    total: { value: 0, relation: 'gte' },
    max_score: null,
    hits: [],
  }))

it('max_score is that of the first page, on every page', () => {
  const understood = { body: {}, page: { from: 3, size: 2, depth: 100 } } as unknown as RewritableSearch
  const { max_score, hits } = hitsIn(composed({ understood }))
  expect(max_score).toBe(5)
  expect(hits.map(({ _id, _score }) => [_id, _score])).toEqual([
    ['d', 2],
    ['e', 1],
  ])
})

describe('scores of re-ranking', () => {
  const docids = found('a', 'b', 'c').map(identity)
  const scored = (...scores: readonly number[]) =>
    hitsIn(
      composed({
        others: [],
        isLogarithmic: true,
        // A document that fusion left out has no such place, and is squashed all the same.
        hits: scores.map((score, place) => ({
          docid: docids[place]!,
          score,
          rank: place + 1,
          ...(place !== 1 && { fused: { rank: 1, score: 1 } }),
        })),
      }),
    ).hits.map(({ _score }) => _score as number)

  it('are mapped to numbers between 0 and 1, in the same order', () => {
    expect(scored(0)).toEqual([0.5])
    expect(scored(Math.log(3), 0, -Math.log(3))).toEqual([
      expect.closeTo(0.75, 12),
      0.5,
      expect.closeTo(0.25, 12),
    ])
  })

  it('are 0 and 1 for very small and very large scores', () => {
    expect(scored(1e9, -1e9)).toEqual([1, 0])
    expect(scored(40, 39, -800)).toEqual([1, 1, 0])
  })
})

describe('groups', () => {
  const grouped = (id: string, ...values: readonly unknown[]): JsonObject => ({
    ...found(id)[0],
    ...(values.length > 0 && { fields: { group: values } }),
  })
  const shown = (hits: readonly JsonObject[]) =>
    hitsIn(
      composed({ body: { collapse: { field: 'group' } }, original: answerOf(hits), others: [] }),
    ).hits.map(({ _id }) => _id)

  it('are shown once, by the better hit', () =>
    expect(shown([grouped('a', 'x'), grouped('b', 'y'), grouped('c', 'x'), grouped('d', 'z')])).toEqual([
      'a',
      'b',
      'd',
    ]))

  it('without a value are one group, as in the engines', () =>
    expect(shown([grouped('a'), grouped('b'), grouped('c', null), grouped('d', 'x')])).toEqual([
      'a',
      'c',
      'd',
    ]))

  it('are told apart by all of their values, and by numbers that no double holds', () => {
    const read = (text: string) => parseAnswer(text)
    expect(
      shown([
        grouped('a', read('9007199254740993')),
        grouped('b', read('9007199254740992')),
        grouped('c', read('9007199254740993')),
        grouped('d', 1, 2),
        grouped('e', 2, 1),
      ]),
    ).toEqual(['a', 'b', 'd', 'e'])
  })
})
