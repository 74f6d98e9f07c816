/** One answer made of several: every rule, with its values worked out in the open. */
import { describe, expect, it } from 'vitest'
import { type Composition, compose } from '../../../../../adapters/apps/drop-in/answer/compose.ts'
import { hitsOf, identity } from '../../../../../adapters/apps/drop-in/answer/engine-hits.ts'
import type { JsonObject } from '../../../../../adapters/apps/drop-in/json.ts'
import type { Understood } from '../../../../../adapters/apps/drop-in/parse/parse-search.ts'
import { parseAnswer, toJson } from '../../../../../adapters/apps/proxy/json.ts'
import type { Policy } from '../../../../../src/policy.ts'
import type { Reranker } from '../../../../../src/reranker.ts'
import {
  answered,
  answerOf,
  answerOfRun,
  fakeEngine,
  finding,
  found,
  idsOf,
  run,
  searchFor,
} from '../../../../support/fake-engine.ts'
import { deciding } from '../../../../support/scripted-policy.ts'

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
    understood: { body, page: { from: 0, size: 10, depth: 100 } } as unknown as Understood,
    hits: [...given.keys()].sort().map((docid, place) => ({ docid, score: 5 - place, rank: place + 1 })),
    own: [],
    isReranked: false,
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

it('the parts of an answer', () =>
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
  'behind the fused list the caller’s own hits go on, with a score of 0: re-ranked %s',
  (isReranked) => {
    const hits = [{ docid: identity(found('b')[0]!), score: 2, rank: 1 }]
    const own = hitsOf(original, () => undefined)
    const { hits: shown, total, max_score } = hitsIn(composed({ hits, own, isReranked }))
    expect(shown.map(({ _id }) => _id)).toEqual(['b', 'a', 'c'])
    expect(shown.map(({ _score }) => _score)).toEqual([max_score, 0, 0])
    expect(total).toMatchObject({ value: 3 })
  },
)

describe('how many match', () => {
  const totalOf = (total: unknown, more: Partial<Composition> = {}) =>
    hitsIn(composed({ original: { ...original, hits: { ...hitsIn(original), total } }, ...more })).total

  it('is what the caller’s own search counted, where that is more than the fused list has: at least', () =>
    expect(totalOf({ value: 812, relation: 'eq' })).toEqual({ value: 812, relation: 'gte' }))

  it('is what the fused list has, where that is more', () =>
    expect(totalOf({ value: 3, relation: 'eq' })).toEqual({ value: 5, relation: 'gte' }))

  it('is at least what was counted where counting ended early', () =>
    expect(totalOf({ value: 10_000, relation: 'gte' })).toEqual({ value: 10_000, relation: 'gte' }))

  it('is a number where the caller wants one', () => {
    expect(totalOf(812)).toBe(812)
    expect(totalOf(3)).toBe(5)
  })

  it('is not made up where the caller does not count', () => {
    expect(hitsIn(composed({ original: answerOf(found('a'), { counts: false }) }))).not.toHaveProperty(
      'total',
    )
    expect(totalOf(-1)).toBe(-1)
    expect(totalOf(null)).toBeNull()
  })

  it('is the engine’s own where no other search took part', () =>
    expect(totalOf({ value: 2, relation: 'eq' }, { others: [] })).toEqual({ value: 2, relation: 'eq' }))

  it('counts no more than can be paged through', () => {
    const understood = { body: {}, page: { from: 0, size: 2, depth: 4 } } as unknown as Understood
    expect(totalOf({ value: 3, relation: 'eq' }, { understood })).toEqual({ value: 4, relation: 'gte' })
  })
})

describe('shards', () => {
  it('are summed over all searches, failures included', () =>
    expect(
      composed({
        original: { ...original, ...shards(5, 1, 2) },
        others: [
          { ...first, ...shards(3) },
          { ...second, ...shards(2, 2) },
        ],
      })._shards,
    ).toEqual({ total: 10, successful: 7, skipped: 2, failed: 3, failures: [{ shard: 5 }, { shard: 2 }] }))

  it('that an answer does not tell of are none', () =>
    expect(
      composed({ original: { hits: original.hits }, others: [{ hits: first.hits, ...shards(2) }] })._shards,
    ).toEqual({
      total: 2,
      successful: 2,
      skipped: 0,
      failed: 0,
    }))
})

it('time was up where it was for one search', () => {
  expect(composed({ others: [first, { ...second, timed_out: true }] }).timed_out).toBe(true)
  expect(composed({ original: { ...original, timed_out: true } }).timed_out).toBe(true)
})

it('a search that ended early makes the answer one that did', () => {
  expect(composed()).not.toHaveProperty('terminated_early')
  expect(composed({ original: { ...original, terminated_early: false } }).terminated_early).toBe(false)
  expect(composed({ others: [{ ...first, terminated_early: true }] }).terminated_early).toBe(true)
})

it('the point in time is the last one', () => {
  expect(composed({ original: { ...original, pit_id: 'one' } }).pit_id).toBe('one')
  const others = [
    { ...first, pit_id: 'two' },
    { ...second, pit_id: 'three' },
  ]
  expect(composed({ original: { ...original, pit_id: 'one' }, others }).pit_id).toBe('three')
  expect(composed({ original: { ...original, pit_id: 'one' }, others: [first] }).pit_id).toBe('one')
})

it('aggregations, suggest, profile and what else stands there are the caller’s own search’s', () => {
  const own = {
    aggregations: { 'sterms#a': { buckets: [] } },
    suggest: { s: [] },
    profile: { shards: [] },
    _clusters: { total: 2 },
    num_reduce_phases: 3,
    phase_took: { query: 1 },
  }
  const others = [{ ...first, aggregations: { a: 'another' }, profile: {}, processor_results: [] }]
  const answer = composed({ original: { ...original, ...own }, others })
  expect(answer).toMatchObject(own)
  expect(answer).not.toHaveProperty('processor_results')
})

it('a hit is as the engine gave it, but for its score and its sort', () => {
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

it('no hits have no best score', () =>
  expect(hitsIn(composed({ original: answerOf([]), others: [answerOf([])] }))).toEqual({
    total: { value: 0, relation: 'gte' },
    max_score: null,
    hits: [],
  }))

it('the best score is that of the first page, on every page', () => {
  const understood = { body: {}, page: { from: 3, size: 2, depth: 100 } } as unknown as Understood
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
        isReranked: true,
        // A document that fusion left out has no such place, and is squashed all the same.
        hits: scores.map((score, place) => ({
          docid: docids[place]!,
          score,
          rank: place + 1,
          ...(place !== 1 && { fused: { rank: 1, score: 1 } }),
        })),
      }),
    ).hits.map(({ _score }) => _score as number)

  it('are shown between 0 and 1, in the same order', () => {
    expect(scored(0)).toEqual([0.5])
    expect(scored(Math.log(3), 0, -Math.log(3))).toEqual([
      expect.closeTo(0.75, 12),
      0.5,
      expect.closeTo(0.25, 12),
    ])
  })

  it('are numbers at the ends', () => {
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

  it('of hits without the field are one group, as with the engines', () =>
    expect(shown([grouped('a'), grouped('b'), grouped('c', null), grouped('d', 'x')])).toEqual([
      'a',
      'c',
      'd',
    ]))

  it('of several values, and of numbers that no double holds, are told apart', () => {
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

describe('a document', () => {
  it('is its index and its id', () =>
    expect(identity({ _index: 'a', _id: '1' })).not.toBe(identity({ _index: 'b', _id: '1' })))

  it('is its routing, too', () =>
    expect(identity({ _index: 'a', _id: '1', _routing: 'x' })).not.toBe(
      identity({ _index: 'a', _id: '1', _routing: 'y' }),
    ))

  it('is not mistaken for another by what stands in its names', () => {
    expect(identity({ _index: 'a', _id: 'b","c' })).not.toBe(
      identity({ _index: 'a', _id: 'b', _routing: 'c' }),
    )
    expect(identity({ _index: 'a,b', _id: 'c' })).not.toBe(identity({ _index: 'a', _id: 'b,c' }))
  })
})

describe('fused', () => {
  const lists = { bridge: found('a', 'b', 'c'), 'golden gate': found('b', 'd') }
  const call = searchFor('bridge')
  const policy = deciding(['golden gate'])

  it('by rank: b is second and first, a is first, d is second, c is third', async () => {
    const answer = answerOfRun(await run(call, fakeEngine(call, finding(lists)), { options: { policy } }))
    expect(hitsIn(answer).hits.map(({ _id, _score }) => [_id, _score])).toEqual([
      ['b', 1.5],
      ['a', 1],
      ['d', 0.5],
      ['c', 1 / 3],
    ])
    expect(hitsIn(answer).max_score).toBe(1.5)
  })

  it('two indices with one id, and two routings, are two hits', async () => {
    const [a] = found('a')
    const twins = {
      bridge: [a!, { ...a, _index: 'other' }],
      'golden gate': [
        { ...a, _index: 'other' },
        { ...a, _routing: 'r' },
      ],
    }
    const result = await run(call, fakeEngine(call, finding(twins)), { options: { policy } })
    expect(hitsIn(answerOfRun(result)).hits.map(({ _index, _routing }) => [_index, _routing])).toEqual([
      ['other', undefined],
      ['works', undefined],
      ['works', 'r'],
    ])
  })

  it('a hit of the caller’s own search is as that gave it, though a sub-query ranked it higher', async () => {
    const marked = (hits: readonly JsonObject[], by: string) =>
      hits.map((hit) => ({ ...hit, highlight: { text: [by] } }))
    const byLeg = {
      bridge: marked(found('a', 'b'), 'own'),
      'golden gate': marked(found('c', 'b', 'd'), 'gate'),
      brooklyn: marked(found('d', 'b'), 'brooklyn'),
    }
    const options = { policy: deciding(['golden gate', 'brooklyn']) }
    const result = await run(call, fakeEngine(call, finding(byLeg)), { options })
    const marks = hitsIn(answerOfRun(result)).hits.map(({ _id, highlight }) => [
      _id,
      (highlight as { text: unknown[] }).text[0],
    ])
    expect(Object.fromEntries(marks)).toEqual({ a: 'own', b: 'own', c: 'gate', d: 'brooklyn' })
  })

  it('a hit twice in one list is one, at its better place', async () => {
    const twice = { bridge: found('a', 'a', 'b'), 'golden gate': found('c', 'c') }
    expect(idsOf(await run(call, fakeEngine(call, finding(twice)), { options: { policy } }))).toEqual([
      'a',
      'c',
      'b',
    ])
  })

  it('says where each hit comes from, where that is asked for, and nowhere else', async () => {
    const engine = fakeEngine(call, finding(lists))
    const answer = answerOfRun(await run(call, engine, { options: { policy }, explains: true }))
    expect(answer._querent).toEqual({
      policy: 'deciding',
      decision: 'rewrite',
      reason: 'the test says so',
      subQueries: [{ text: 'golden gate', round: 1 }],
      partial: false,
      times: expect.any(Object),
    })
    const [best] = hitsIn(answer).hits
    expect(best).toMatchObject({ _id: 'b', _querent: { rank: 1, score: 1.5 } })
    const { provenance } = best!._querent as { readonly provenance: readonly { readonly share: number }[] }
    expect(provenance.map(({ share }) => share)).toEqual([
      expect.closeTo(1 / 3, 12),
      expect.closeTo(2 / 3, 12),
    ])

    const silent = answerOfRun(await run(call, fakeEngine(call, finding(lists)), { options: { policy } }))
    expect(JSON.stringify(silent)).not.toContain('querent')
  })

  it('a re-ranked answer has falling scores, whether fusion had a hit or not', async () => {
    const order = ['c', 'b', 'd', 'a']
    const rerank: Reranker = {
      needs: (_, all) => all.flatMap(({ hits }) => hits.map(({ docid }) => docid)),
      rerank(_, all, fused) {
        const before = new Map(fused.map((hit) => [hit.docid, hit]))
        const docids = new Set(all.flatMap(({ hits }) => hits.map(({ docid }) => docid)))
        const at = (docid: string): number => order.indexOf((JSON.parse(docid) as string[])[1]!)
        return [...docids]
          .sort((x, y) => at(x) - at(y))
          .map((docid, place) => {
            const hit = before.get(docid)
            const moved = { docid, score: 1 - place, rank: place + 1 }
            return hit ? { ...hit, ...moved, fused: { rank: hit.rank, score: hit.score } } : moved
          })
      },
      explain: () => [],
    }
    const options = { policy: deciding(['golden gate'], { withOriginal: false }), rerank }
    const answer = answerOfRun(await run(call, fakeEngine(call, finding(lists)), { options }))
    const { hits, max_score } = hitsIn(answer)
    expect(hits.map(({ _id }) => _id)).toEqual(order)
    const scores = hits.map(({ _score }) => _score as number)
    expect(scores).toEqual([1, 0, -1, -2].map((score) => expect.closeTo(1 / (1 + Math.exp(-score)), 12)))
    expect(max_score).toBe(scores[0])
  })

  it('numbers come through as they were written', async () => {
    const text = `{"took":1,"timed_out":false,"_shards":{"total":1,"successful":1,"skipped":0,"failed":0},"hits":{"total":{"value":1,"relation":"eq"},"max_score":1.0,"hits":[{"_index":"works","_id":"x","_score":1.0,"_source":{"serial":9007199254740993,"price":1.0,"big":1e400,"small":-0.0}}]}}`
    const engine = fakeEngine(call, finding(lists), {
      msearch: (legs) => legs.map(() => parseAnswer(text)),
      search: () => answered(parseAnswer(text)),
    })
    const answer = toJson(answerOfRun(await run(call, engine, { options: { policy } })))
    expect(answer).toContain('"_source":{"serial":9007199254740993,"price":1.0,"big":1e400,"small":-0.0}')
    expect(answer).toContain('"total":{"value":1,"relation":"gte"}')
  })
})

it('a policy’s own hits need no list of sub-queries', async () => {
  const backwards: Policy = {
    name: 'backwards',
    async run(_, tools) {
      const hits = [...tools.fuse(await tools.original())].reverse()
      return { hits: hits.map((hit, place) => ({ ...hit, rank: place + 1, score: 3 - place })) }
    },
  }
  const call = searchFor('bridge')
  const engine = fakeEngine(call, finding({ bridge: found('a', 'b') }))
  const answer = answerOfRun(await run(call, engine, { options: { policy: backwards } }))
  expect(hitsIn(answer)).toMatchObject({
    total: { value: 2, relation: 'eq' },
    max_score: 3,
    hits: [
      { _id: 'b', _score: 3 },
      { _id: 'a', _score: 2 },
    ],
  })
})
