/** What is said of a search under our key. */
import { expect, it } from 'vitest'
import { about, summary } from '../../../../../adapters/apps/drop-in/answer/outcome.ts'
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

it('about has the places of a hit, and only what it has', () => {
  expect(about({ docid: 'a', rank: 1, score: 2 })).toEqual({ rank: 1, score: 2 })
  const more = { fused: { rank: 2, score: 1 }, provenance: [] }
  expect(about({ docid: 'a', rank: 1, score: 2, ...more })).toEqual({ rank: 1, score: 2, ...more })
})

it('summary has the outcome, the decision, and no hit', async () => {
  const outcome = { kind: 'changed' } as const
  expect(summary(outcome, undefined)).toEqual({ outcome })
  expect(summary(outcome, await traceOf())).toEqual({
    outcome,
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

const failed = { kind: 'failed' } as const
it("summary has an error's code and what it means, and nothing that a backend wrote", async () => {
  const said = summary(failed, await traceOf([], chatFailed))
  expect(said).toMatchObject({
    decision: 'as-is',
    reason: 'without Querent: chat-failed',
    fallback: { code: 'chat-failed', message: 'The chat server gave no answer.' },
  })
  expect(JSON.stringify(said)).not.toMatch(/canary|10\.1/)
  expect(summary(failed, await traceOf([], new Error('no canary')))).toMatchObject({
    reason: 'without Querent: Error',
    fallback: { code: 'Error', message: "An error that is not Querent's." },
  })
})
