import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  clipGradient,
  clipLoss,
  groupAdvantages,
  hasZeroVariance,
  overlongPenalty,
  withoutZeroVariance,
} from '../../src/training/advantage.ts'
import { baseReward } from '../../src/training/rewards/acqo.ts'
import { golden } from './golden.ts'

describe('group-relative advantages', () => {
  it.each(golden.acqo['grpoAdvantage_n_minus_1_eps1e-6'])('of $rewards', ({ rewards, adv }) => {
    for (const [index, advantage] of groupAdvantages(rewards).entries())
      expect(advantage).toBeCloseTo(adv[index]!, 5)
  })

  it('sum to 0, follow the rewards, and stay the same when all rewards rise', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: -90, max: 180 }), { minLength: 1, maxLength: 16 }),
        (rewards) => {
          const advantages = groupAdvantages(rewards)
          expect(advantages.reduce((sum, advantage) => sum + advantage, 0)).toBeCloseTo(0, 9)
          const raised = groupAdvantages(rewards.map((reward) => reward + 7))
          for (const [index, advantage] of advantages.entries()) {
            expect(raised[index]).toBeCloseTo(advantage, 9)
            if (rewards[index]! > rewards[0]!) expect(advantage).toBeGreaterThan(advantages[0]!)
          }
        },
      ),
    )
  })

  it('are 0 where all rewards are equal, whatever rounding makes of their mean', () => {
    for (let count = 0; count <= 16; count++) {
      const rewards = Array.from({ length: count }, () => baseReward(4))
      expect(hasZeroVariance(rewards)).toBe(true)
      expect(groupAdvantages(rewards)).toEqual(rewards.map(() => 0))
    }
    // The same sum in another order.
    expect(hasZeroVariance([0.1 + 0.2 + 0.3, 0.3 + 0.2 + 0.1])).toBe(true)
    expect(hasZeroVariance([0, 1 / 90])).toBe(false)
  })

  it('leaves out groups that teach nothing', () => {
    const groups = new Map([
      ['q1', [1, 1]],
      ['q2', [1, 2]],
    ])
    expect([...withoutZeroVariance(groups).keys()]).toEqual(['q2'])
    expect(groups.size).toBe(2)
  })
})

describe('the clipped loss', () => {
  it.each(golden.acqo['clip_lo.2_hi.28_c10'])('A = $A, ratio $ratio: $loss', ({ A, ratio, loss }) =>
    expect(clipLoss(A, ratio)).toBeCloseTo(loss, 14),
  )

  it('has the slope that is said', () => {
    const corners = [0.8, 1.28, 10]
    fc.assert(
      fc.property(
        fc.double({ min: -3, max: 3, noNaN: true }),
        fc.double({ min: 0.01, max: 20, noNaN: true }),
        (advantage, ratio) => {
          fc.pre(corners.every((corner) => Math.abs(ratio - corner) > 1e-3))
          // d loss / d log ratio, by a step of 1e-6 to either side.
          const slope =
            (clipLoss(advantage, ratio * Math.exp(1e-6)) - clipLoss(advantage, ratio * Math.exp(-1e-6))) /
            2e-6
          expect(clipGradient(advantage, ratio)).toBeCloseTo(slope, 4)
        },
      ),
    )
  })

  it.each([{ low: 2 }, { high: -1 }, { dual: 1 }])('refuses %s', (clip) =>
    expect(() => clipLoss(1, 1, clip)).toThrow(Object.keys(clip)[0]),
  )
})

describe('the overlong penalty', () => {
  it.each([
    [1, 0],
    [192, 0],
    [200, -0.125],
    [224, -0.5],
    [256, -1],
    [300, -1],
  ])('of %i tokens is %f', (length, penalty) => {
    expect(overlongPenalty(length, { longest: 256, buffer: 64 })).toBe(penalty)
    expect(overlongPenalty(length, { longest: 256, buffer: 64, factor: 2 })).toBe(2 * penalty)
  })

  it('refuses a buffer longer than all', () =>
    expect(() => overlongPenalty(1, { longest: 256, buffer: 300 })).toThrow('buffer is 300'))
})
