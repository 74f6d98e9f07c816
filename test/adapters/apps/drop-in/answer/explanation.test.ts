/** What is said of a search, in a line and under our key. */
import { describe, expect, it } from 'vitest'
import { AnswerError } from '../../../../../adapters/apps/drop-in/answer/engine-answer.ts'
import {
  about,
  summary,
  whatBecame,
  whatBecameOfAll,
} from '../../../../../adapters/apps/drop-in/answer/explanation.ts'
import { QuerentError } from '../../../../../src/errors.ts'
import { createOptimizer } from '../../../../../src/optimizer.ts'
import { scriptedRetriever } from '../../../../support/scripted.ts'
import { deciding } from '../../../../support/scripted-policy.ts'

/** As of a chat server that repeats its key. */
const chatFailed = new QuerentError('chat-failed', 'Chat model "m" at 10.1.2.3 answered 401 of key canary')
const found = { who: ['a'], first: ['b'] }
const traceOf = async (second: readonly string[] | Error = ['c'], fails?: Error) => {
  const bm25 = scriptedRetriever({ found: { ...found, second } })
  const policy = deciding(['first', 'second'], { withOriginal: false })
  const failing = { name: 'failing', run: () => Promise.reject(fails) }
  const optimizer = createOptimizer({ retrievers: [bm25], policy: fails === undefined ? policy : failing })
  return (await optimizer.search('who')).trace
}

describe('whatBecame', () => {
  it.each([
    ['was optimized', async () => ({ trace: await traceOf() }), 'optimized'],
    [
      'keeps the fused order',
      async () => ({ trace: await traceOf(), notReranked: 'its fields have boosts' }),
      'optimized; not re-ranked: its fields have boosts',
    ],
    [
      'lost a leg',
      async () => ({ trace: await traceOf(new Error('a shard of canary failed')) }),
      "optimized in part: Error: An error that is not Querent's.",
    ],
    [
      'fell back',
      async () => ({ trace: await traceOf([], chatFailed) }),
      'not optimized: chat-failed: The chat server gave no answer.',
    ],
    [
      'failed',
      async () => ({ error: new TypeError('no canary') }),
      "not optimized: TypeError: An error that is not Querent's.",
    ],
    [
      'failed by us',
      async () => ({ error: chatFailed }),
      'not optimized: chat-failed: The chat server gave no answer.',
    ],
    [
      'the engine could not answer',
      async () => ({ error: new AnswerError({ status: 503, body: { error: 'canary' }, own: undefined }) }),
      'not optimized: the engine answered 503',
    ],
    [
      'the engine answered with something else',
      async () => ({ error: new AnswerError({ status: 200, body: { took: 1 }, own: undefined }) }),
      'not optimized: the engine answered 200 without hits',
    ],
    [
      'passed through, whatever else is known',
      async () => ({ passed: 'it is sorted', error: new Error('reset') }),
      'passed through: it is sorted',
    ],
  ])('of a search that %s', async (_, search, line) => expect(whatBecame(await search())).toBe(line))
})

describe('whatBecameOfAll', () => {
  const [part, keptOrder] = ['optimized in part: a shard failed', 'optimized; not re-ranked: boosts']
  const [failed, passed] = ['not optimized: reset', 'passed through: it is sorted']

  it.each([
    [['optimized', 'optimized'], 'optimized'],
    [['optimized', keptOrder], 'optimized'],
    [['optimized', part], part],
    [['optimized', failed], `optimized in part: ${failed}`],
    [[passed, keptOrder], `optimized in part: ${passed}`],
    [[failed, passed], failed],
  ])('of %j', (ends, line) => expect(whatBecameOfAll(ends)).toBe(line))
})

it('about has the places of a hit, and only what it has', () => {
  expect(about({ docid: 'a', rank: 1, score: 2 })).toEqual({ rank: 1, score: 2 })
  const more = { fused: { rank: 2, score: 1 }, provenance: [] }
  expect(about({ docid: 'a', rank: 1, score: 2, ...more })).toEqual({ rank: 1, score: 2, ...more })
})

it('summary has the decision, and no hit', async () => {
  expect(summary(await traceOf())).toEqual({
    policy: 'deciding',
    decision: 'decompose',
    reason: 'the test says so',
    partial: false,
    subQueries: [
      { text: 'first', round: 1 },
      { text: 'second', round: 1 },
    ],
    times: expect.any(Object),
  })
})

it("summary has an error's code and what it means, and nothing that a backend wrote", async () => {
  const said = summary(await traceOf([], chatFailed))
  expect(said).toMatchObject({
    decision: 'as-is',
    reason: 'fell back to the original query: chat-failed',
    fallback: { code: 'chat-failed', message: 'The chat server gave no answer.' },
  })
  expect(JSON.stringify(said)).not.toMatch(/canary|10\.1/)
  expect(summary(await traceOf([], new Error('no canary')))).toMatchObject({
    reason: 'fell back to the original query: Error',
    fallback: { code: 'Error', message: "An error that is not Querent's." },
  })
})
