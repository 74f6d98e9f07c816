import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { stageOneReward, stageTwoReward } from '../../../policies/acqo/rewards.ts'
import { malformedReward, rewardOf, type ServedRewardOptions } from '../../../src/training/rewards/reward.ts'
import type { RankedList } from '../../../src/types.ts'
import { expectError } from '../../support/expect-error.ts'

/** The list of one retriever for one sub-query: docids with scores that fall from 9. */
function list(...docids: readonly string[]): RankedList[] {
  const hits = docids.map((docid, index) => ({ docid, score: 9 - index, rank: index + 1 }))
  return [{ retriever: 'bm25', subQuery: { text: docids.join(' '), round: 1 }, hits }]
}

describe('stage 2', () => {
  it('prices the fused list of all sub-queries', () => {
    // Σ 1/rank: a 1, b 1 + 1/2, c 1/2: the order is b, a, c. η = 0.6: 0.6 · Φ(1) + 0.36 · Φ(3) = 1.2 + 0.36 · 16/9.
    const reward = rewardOf([list('a', 'b'), list('b', 'c')], ['c', 'b'], { eta: 0.6 })
    // The best possible: ranks 1 and 2, 0.6 · 2 + 0.36 · 17/9 = 1.88.
    expect(reward).toEqual({
      score: 1.84,
      acc: 0.978723,
      format: 1,
      n_sub: 2,
      ranks: [3, 1],
      best_subset: [0, 1],
    })
  })

  it('adds the bonus for the first ranks', () => {
    // Φ′(2) = 17/9 + 1/log2(3)
    expect(rewardOf([list('a', 'b')], ['b'], { kStar: 3 })).toMatchObject({ score: 2.519819, ranks: [2] })
  })

  it('looks no deeper than topk', () => {
    expect(rewardOf([list('a', 'b', 'c')], ['a', 'c'], { topk: 2 })).toMatchObject({
      score: 2,
      ranks: [1, null],
    })
  })

  it('is 0, and not δ, for an answer that finds nothing', () => {
    expect(rewardOf([list('a')], ['x'], { delta: -1 })).toMatchObject({
      score: 0,
      acc: 0,
      format: 1,
      ranks: [null],
    })
  })
})

describe('stage 1', () => {
  it('prices the best set, of equal ones the smallest', () => {
    // papers.md 2.1, vector 9: the first alone has the document first, both together have it second.
    const searched = [list('G', 'n1'), list('n1', 'n2', 'n3')]
    expect(rewardOf(searched, ['G'], { stage: 1 })).toMatchObject({ score: 2, ranks: [1], best_subset: [0] })
    expect(rewardOf(searched, ['G'])).toMatchObject({ score: 1.888889, ranks: [2], best_subset: [0, 1] })
    expect(rewardOf([list('x'), list('G')], ['G'], { stage: 1 }).best_subset).toEqual([1])
  })

  it('has no bonus', () => {
    expect(rewardOf([list('a')], ['a'], { stage: 1, kStar: 3 })).toMatchObject({ score: 2, acc: 1 })
  })

  it('looks no deeper than topk', () => {
    expect(rewardOf([list('a', 'b'), list('c')], ['b'], { stage: 1, topk: 1 })).toMatchObject({
      score: 0,
      ranks: [null],
    })
  })
})

it('is the reward of the papers', () => {
  const docids = fc.uniqueArray(fc.constantFrom(...'abcdefgh'), { maxLength: 8 })
  fc.assert(
    fc.property(
      fc.array(docids, { minLength: 1, maxLength: 3 }),
      fc.uniqueArray(fc.constantFrom(...'abcxy'), { minLength: 1, maxLength: 3 }),
      fc.record({
        eta: fc.constantFrom(0.6, 1),
        etaStart: fc.constantFrom(0 as const, 1 as const),
        lambda: fc.constantFrom(0.5, 1),
        kStar: fc.constantFrom(0, 3),
      }),
      (found, golds, options: ServedRewardOptions) => {
        const searched = found.map((ranking) => list(...ranking))
        expect(rewardOf(searched, golds, options).score).toBeCloseTo(
          stageTwoReward(searched, golds, options),
          6,
        )
        const { eta, etaStart } = options
        const decay = { eta: eta!, etaStart: etaStart! }
        const one = rewardOf(searched, golds, { ...options, stage: 1 })
        expect(one.score).toBeCloseTo(stageOneReward(searched, golds, decay), 6)
        expect(one.acc).toBeLessThanOrEqual(1)
        expect(one.best_subset.length).toBeGreaterThanOrEqual(1)
      },
    ),
  )
})

it('a malformed answer has δ', () => {
  const nothing = { acc: 0, format: 0, n_sub: 0, ranks: [null, null], best_subset: [] }
  expect(malformedReward(['a', 'b'])).toEqual({ score: -0.1, ...nothing })
  expect(malformedReward(['a', 'b'], { delta: -0.5 })).toEqual({ score: -0.5, ...nothing })
  expectError(() => malformedReward(['a'], { delta: 0 }), 'bad-config', /delta/)
})
