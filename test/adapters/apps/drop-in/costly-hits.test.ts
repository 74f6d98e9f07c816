/** Where a hit costs the engine a lot, lists bring texts alone, and what is shown is asked for by itself. */
import { describe, expect, it } from 'vitest'
import { isObject, type JsonObject } from '../../../../adapters/apps/drop-in/parse/json.ts'
import { appSettings } from '../../../../adapters/apps/drop-in/run/settings.ts'
import type { Reranker } from '../../../../src/reranker.ts'
import {
  answered,
  answerOf,
  answerOfRun,
  type Find,
  fakeEngine,
  findIn,
  finding,
  found,
  idsOf,
  run,
  searchFor,
} from '../../../support/fake-engine.ts'
import { deciding } from '../../../support/scripted-policy.ts'

const own = found(...'abcdefghijklmno')
const gate = found('x', 'b', 'y', 'o')
const lists = { bridge: own, gate }
const options = { policy: deciding(['gate']), rerank: false }
const highlight = { fields: { text: {} } }

/** Hits have highlights of the words that they were asked for with, where they were asked for. */
const marking: Find = (body) =>
  finding(lists)(body).map((hit) =>
    body.highlight === undefined ? hit : { ...hit, highlight: { text: [(body.query as JsonObject).match] } },
  )
const shownIn = (answer: JsonObject): JsonObject[] =>
  isObject(answer.hits) ? (answer.hits.hits as JsonObject[]) : []

/** Keeps the fused order, and reads all. */
const asFused: Reranker = {
  needs: (_, all) => all.flatMap(({ hits }) => hits.map(({ docid }) => docid)),
  rerank: (_, _lists, fused) => fused,
  explain: () => [],
}

describe('a body with highlights', () => {
  const call = searchFor('bridge', { highlight, version: true, size: 4 })

  it('is sent as it is; lists have no highlights; what is shown of them is asked for with the words that found it', async () => {
    const engine = fakeEngine(call, marking)
    const answer = answerOfRun(await run(call, engine, { options }))
    expect(engine.searches).toEqual([undefined])
    const [legs, shown, ...others] = engine.batches
    expect(others).toEqual([])
    expect(legs?.map(({ body }) => Object.keys(body).sort())).toEqual([
      ['_source', 'query', 'size', 'timeout', 'track_total_hits'],
    ])
    expect(shown).toEqual([
      {
        header: {},
        body: {
          query: {
            bool: {
              must: [{ match: { text: 'gate' } }],
              filter: [
                {
                  bool: {
                    should: [
                      { bool: { filter: [{ term: { _index: 'works' } }, { ids: { values: ['x'] } }] } },
                    ],
                  },
                },
              ],
            },
          },
          highlight,
          version: true,
          size: 1,
          track_total_hits: false,
          timeout: '2000ms',
        },
      },
    ])
    expect(shownIn(answer).map(({ _id, highlight }) => [_id, highlight])).toEqual([
      ['a', { text: [{ text: 'bridge' }] }],
      ['b', { text: [{ text: 'bridge' }] }],
      ['x', { text: [{ text: 'gate' }] }],
      ['c', { text: [{ text: 'bridge' }] }],
    ])
  })

  it('costs no third request where all that is shown is at hand', async () => {
    const engine = fakeEngine(call, finding({ bridge: own, gate: found('b', 'a') }))
    await run(call, engine, { options })
    expect(engine.batches).toHaveLength(1)
  })

  it('has its texts read by re-ranking from a list beside it', async () => {
    const engine = fakeEngine(call, marking)
    const result = await run(call, engine, { options: { ...options, rerank: asFused } })
    expect(engine.searches).toEqual([undefined])
    const [pool] = engine.batches
    expect(pool?.map(({ body }) => body)).toEqual([
      {
        query: { match: { text: 'bridge' } },
        _source: false,
        fields: expect.arrayContaining(['title', 'text']),
        size: 20,
        track_total_hits: false,
        timeout: '2000ms',
      },
    ])
    expect(shownIn(answerOfRun(result)).every((hit) => hit.highlight !== undefined)).toBe(true)
  })

  it("is answered by the engine's own answer where what is shown cannot be had", async () => {
    const engine = fakeEngine(call, marking, {
      msearch: (legs) =>
        legs.map(({ body }) => (body.highlight ? { status: 500, error: {} } : findIn(marking, body))),
    })
    const result = await run(call, engine, { options })
    expect(result.body).toBeUndefined()
    expect(result.error?.message).toContain('500')
    expect(idsOf(result)).toEqual(['a', 'b', 'c', 'd'])
  })

  it('lacks a hit that the engine has no longer', async () => {
    const engine = fakeEngine(call, marking, {
      msearch: (legs) => legs.map(({ body }) => (body.highlight ? answerOf([]) : findIn(marking, body))),
    })
    expect(idsOf(await run(call, engine, { options }))).toEqual(['a', 'b', 'c'])
  })

  it('that is explained is narrowed behind its query, which an explanation would tell of', async () => {
    const engine = fakeEngine(searchFor('bridge', { explain: true, size: 4 }), marking)
    await run(searchFor('bridge', { explain: true, size: 4 }), engine, { options })
    const body = engine.batches[1]![0]!.body
    expect(body.query).toEqual({ match: { text: 'gate' } })
    expect(body.post_filter).toMatchObject({ bool: { filter: [{ bool: { should: [expect.anything()] } }] } })
  })
})

describe('large documents', () => {
  const large = (hits: readonly JsonObject[]): JsonObject[] =>
    hits.map((hit) => ({ ...hit, _source: { title: 'a title', text: 'long text '.repeat(30_000) } }))
  const call = searchFor('bridge')

  it('are read of fewer hits as soon as they are known to be large', async () => {
    const settings = await appSettings({ ...options, rerank: asFused }, 'test')()
    const engine = fakeEngine(call, finding({ bridge: large(own), gate: large(gate) }))
    const context = { options: { ...options, rerank: asFused }, settings }
    await run(call, engine, context)
    await run(call, engine, context)
    expect(engine.searches.map((change) => change?.body.size)).toEqual([20, 10])
    expect(engine.batches[1]?.map(({ body }) => body.size)).toEqual([5])
  })
})

it("more than the engine has memory for is the caller's own search then, wherever it says so", async () => {
  const call = searchFor('bridge')
  const why = { type: 'circuit_breaking_exception', reason: 'Data too large' }
  const engine = fakeEngine(call, finding(lists), {
    search: (change) =>
      change === undefined
        ? answered(findIn(finding(lists), { query: { match: { text: 'bridge' } } }))
        : answered(
            { status: 429, error: { type: 'search_phase_execution_exception', root_cause: [why] } },
            429,
          ),
  })
  const result = await run(call, engine, { options: { ...options, rerank: asFused, retries: 0 } })
  expect(engine.searches.at(-1)).toBeUndefined()
  expect(idsOf(result)).toContain('a')
})
