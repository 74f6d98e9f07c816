import { describe, expect, it } from 'vitest'
import {
  answerRecall,
  contextRecall,
  exploresBoth,
  sparkleReward,
} from '../../../policies/sparkle/rewards.ts'
import { answerF1 } from '../../../src/text/answer.ts'
import { expectError } from '../../support/expect-error.ts'
import { fraction, golden } from '../../support/golden.ts'

it.each(golden.sparkle.f1)('F1 of "$pred" for "$gold" is $f1', ({ pred, gold, f1 }) =>
  expect(answerF1(pred, [gold])).toBe(fraction(f1)),
)

describe('R', () => {
  it.each(golden.sparkle['reward_alpha.3'])('recall $recall, F1 $f1: $R', ({ recall, f1, R }) =>
    expect(sparkleReward({ recall: fraction(recall), f1: fraction(f1) })).toBeCloseTo(fraction(R), 14),
  )

  it('is F1 alone where no relevant document is known', () =>
    expect(sparkleReward({ recall: contextRecall(['d1'], []), f1: 0.4 })).toBe(0.4))

  it('refuses an α that is no share', () =>
    expectError(() => sparkleReward({ recall: 1, f1: 1 }, { alpha: 1.5 }), 'bad-config', /alpha/))
})

it.each([
  { texts: ['By the Countess of Lovelace, 1843.'], expected: ['countess of Lovelace'], recall: 1 },
  { texts: ['no', 'The U.S. navy'], expected: ['Ada', 'US Navy'], recall: 1 },
  // Whole words only.
  { texts: ['a Romanian'], expected: ['man'], recall: 0 },
  { texts: [], expected: ['man'], recall: 0 },
  { texts: ['a man'], expected: [], recall: undefined },
  { texts: ['a man'], expected: ['the'], recall: undefined },
])('recall of the answer $expected in $texts is $recall', ({ texts, expected, recall }) =>
  expect(answerRecall(texts, expected)).toBe(recall),
)

it('recall counts every relevant document once', () => {
  expect(contextRecall(['d1', 'd1', 'd7'], ['d1', 'd2', 'd2'])).toBe(1 / 2)
  expect(contextRecall([], ['d1'])).toBe(0)
})

it.each([1, 2, 3, 4])('a tree that explores %i steps has 2 to that power leaves', (steps) => {
  const leaves = (step: number): number =>
    step > 4 ? 1 : (exploresBoth(step, steps) ? 2 : 1) * leaves(step + 1)
  expect(leaves(1)).toBe([2, 4, 8, 16][steps - 1])
})

it('explores the first four steps', () =>
  expect([1, 4, 5].map((step) => exploresBoth(step))).toEqual([true, true, false]))
