/** One search of an application's, optimized: what is fused, what is shown, and what is said of it. */
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../../../adapters/apps/drop-in/parse/json.ts'
import { parseAnswer, toJson } from '../../../../../adapters/apps/proxy/json.ts'
import type { Policy } from '../../../../../src/policy.ts'
import type { Reranker } from '../../../../../src/reranker.ts'
import {
  answered,
  answerOfRun,
  fakeEngine,
  finding,
  found,
  idsOf,
  run,
  searchFor,
} from '../../../../support/fake-engine.ts'
import { deciding } from '../../../../support/scripted-policy.ts'

const hitsIn = (answer: JsonObject) => answer.hits as JsonObject & { readonly hits: readonly JsonObject[] }
describe('the fused answer', () => {
  const lists = { bridge: found('a', 'b', 'c'), 'golden gate': found('b', 'd') }
  const call = searchFor('bridge')
  const policy = deciding(['golden gate'])

  it('scores by rank: b is second and first, a is first, d is second, c is third', async () => {
    const answer = answerOfRun(await run(call, fakeEngine(call, finding(lists)), { options: { policy } }))
    expect(hitsIn(answer).hits.map(({ _id, _score }) => [_id, _score])).toEqual([
      ['b', 1.5],
      ['a', 1],
      ['d', 0.5],
      ['c', 1 / 3],
    ])
    expect(hitsIn(answer).max_score).toBe(1.5)
  })

  it('keeps apart one id of two indices, and of two routings', async () => {
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

  it("shows a hit as the caller's own search gave it, even where a sub-query ranked it higher", async () => {
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

  it('counts a hit that is twice in one list once, at its better rank', async () => {
    const twice = { bridge: found('a', 'a', 'b'), 'golden gate': found('c', 'c') }
    expect(idsOf(await run(call, fakeEngine(call, finding(twice)), { options: { policy } }))).toEqual([
      'a',
      'c',
      'b',
    ])
  })

  it('explains where each hit comes from, but only if asked to', async () => {
    const engine = fakeEngine(call, finding(lists))
    const answer = answerOfRun(await run(call, engine, { options: { policy }, explains: true }))
    expect(answer._querent).toEqual({
      outcome: { kind: 'changed' },
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

  it('has falling scores after re-ranking, for hits that fusion left out too', async () => {
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

  it('keeps numbers as they were written', async () => {
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

it('shows the hits of a policy that retrieves nothing', async () => {
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
