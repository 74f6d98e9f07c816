import { describe, expect, it } from 'vitest'
import type { Reward } from '../../../src/training/rewards/reward.ts'
import { createRolloutScorer, type RolloutScorerOptions } from '../../../src/training/rewards/scorer.ts'
import { createSearcher } from '../../../src/training/rewards/searcher.ts'
import { answer, qrels } from '../../adapters/apps/reward-server/opened.ts'
import { expectError } from '../../support/expect-error.ts'
import { scriptedRetriever } from '../../support/scripted.ts'

const { signal } = new AbortController()
const found = {
  'desert planet': ['dune', 'emma'],
  matchmaker: ['emma'],
  broken: new Error('shard lost'),
}

function scorerOf(options: Partial<RolloutScorerOptions> = {}) {
  const retriever = scriptedRetriever({ found })
  const searcher = createSearcher({ retrievers: [retriever], indexDigest: 'digest' })
  return { retriever, scorer: createRolloutScorer({ searcher, qrels, ...options }) }
}

const scores = (rewards: readonly (Reward | Error)[]) =>
  rewards.map((reward) => (reward instanceof Error ? reward.message : reward.score))

describe('rewards', () => {
  it('are those of the rollouts in their places, whatever qids repeat', async () => {
    const { scorer, retriever } = scorerOf()
    const rollouts = [
      answer('desert planet'),
      answer('matchmaker'),
      'no',
      answer('desert planet', 'matchmaker'),
    ]
    const rewards = await scorer.score(
      rollouts.map((completion) => ({ completion, qid: 'q2' })),
      signal,
    )
    // Two relevant documents: found at 1 and 2; emma alone at 1; malformed; fused, emma has 1/2 + 1, dune 1.
    expect(rewards).toMatchObject([
      { score: 3.888889, ranks: [1, 2] },
      { score: 2, ranks: [null, 1] },
      { score: -0.1, ranks: [null, null] },
      { score: 3.888889, ranks: [2, 1] },
    ])
    expect(retriever.calls.map(({ texts }) => texts)).toEqual([['desert planet', 'matchmaker']])
  })

  it('are made with the options of the rollout, else with the defaults', async () => {
    const { scorer } = scorerOf({ defaults: { eta: 0.5, delta: -0.3 } })
    const completion = answer('desert planet')
    const rollouts = [
      { completion, qid: 'q1' },
      { completion, qid: 'q1', options: { eta: 1 } },
      { completion: '', qid: 'q1' },
      { completion: '', qid: 'q1', options: { delta: -1 } },
    ]
    expect(scores(await scorer.score(rollouts, signal))).toEqual([1, 2, -0.3, -1])
  })

  it('are 3 sub-queries at the most, or as many as there may be; repeated ones are searched once', async () => {
    const completion = answer('desert planet', 'a', 'b', 'c')
    expect(await scorerOf().scorer.score([{ completion, qid: 'q1' }], signal)).toMatchObject([{ format: 0 }])
    expect(
      await scorerOf({ maxSubQueries: 4 }).scorer.score([{ completion, qid: 'q1' }], signal),
    ).toMatchObject([{ format: 1, n_sub: 4 }])
    const repeated = { completion: answer('Desert  Planet', 'desert planet'), qid: 'q1' }
    expect(await scorerOf().scorer.score([repeated], signal)).toMatchObject([{ format: 1, n_sub: 1 }])
  })

  it('are 12 sub-queries at the most in stage 1, which looks at all of their sets', async () => {
    const { scorer } = scorerOf({ maxSubQueries: 20 })
    const texts = Array.from({ length: 13 }, (_, index) => `text ${index}`)
    const [twelve, thirteen] = [answer(...texts.slice(1)), answer(...texts)]
    const priced = (completion: string, stage: 1 | 2) => ({ completion, qid: 'q1', options: { stage } })
    const rollouts = [priced(twelve, 1), priced(thirteen, 1), priced(thirteen, 2)]
    expect(await scorer.score(rollouts, signal)).toMatchObject([
      { format: 1, n_sub: 12 },
      { format: 0, score: -0.1 },
      { format: 1, n_sub: 13 },
    ])
  })

  it("are those of the relevant documents that came along, not of the server's", async () => {
    const { scorer } = scorerOf()
    const rollout = { completion: answer('desert planet'), golds: ['emma', 'emma'], qid: 'q1' }
    expect(await scorer.score([rollout], signal)).toMatchObject([{ ranks: [2] }])
  })

  it("are those of the server's where an empty list came along, as verl's files have it without golds", async () => {
    const { scorer } = scorerOf()
    const rollout = { completion: answer('desert planet'), qid: 'q1' }
    const [asked, listed] = await scorer.score([rollout, { ...rollout, golds: [] }], signal)
    expect(asked).toMatchObject({ format: 1 })
    expect(listed).toEqual(asked)
  })
})

it('refuses more sub-queries than stage 1 can price, where that is what is priced', () => {
  expectError(
    () => scorerOf({ defaults: { stage: 1 }, maxSubQueries: 13 }),
    'bad-config',
    /13 .*maxSubQueries=12/,
  )
  scorerOf({ defaults: { stage: 1 }, maxSubQueries: 12 })
  scorerOf({ defaults: { stage: 2 }, maxSubQueries: 13 })
})

describe('errors', () => {
  it.each([
    [{ qid: 'q9' }, 'The query "q9" cannot be priced: it has no judgments'],
    [{ qid: 'q3' }, 'The query "q3" cannot be priced: nothing is relevant to it'],
    [{}, 'neither relevant documents nor a query id'],
    [{ golds: [] }, 'neither relevant documents nor a query id'],
    [{ qid: 'q1', options: { eta: 2 } }, 'eta is 2'],
  ])('of %j are its own, malformed or not', async (rollout, message) => {
    const { scorer } = scorerOf()
    const bad = { completion: answer('matchmaker'), ...rollout }
    const [first, second] = await scorer.score(
      [bad, { completion: answer('desert planet'), qid: 'q1' }],
      signal,
    )
    expect((first as Error).message).toContain(message)
    expect((second as Reward).score).toBe(2)
  })

  it('come of an unknown query also where the answer is malformed: δ would be a lie', async () => {
    const [reward] = await scorerOf().scorer.score([{ completion: 'no', qid: 'q9' }], signal)
    expect(reward).toBeInstanceOf(Error)
  })

  it('of a retriever are those of whoever searched there', async () => {
    const rollouts = [answer('desert planet', 'broken'), answer('desert planet')]
    const rewards = await scorerOf().scorer.score(
      rollouts.map((completion) => ({ completion, qid: 'q1' })),
      signal,
    )
    expect(scores(rewards)).toEqual([expect.stringContaining('shard lost'), 2])
  })

  it('say that there are no judgments at all', () => {
    const searcher = createSearcher({ retrievers: [], indexDigest: 'digest' })
    expectError(() => createRolloutScorer({ searcher }).goldsOf('q1'), 'bad-config', '--qrels')
  })
})
