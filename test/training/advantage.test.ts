import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { baseReward } from '../../policies/acqo/rewards.ts'
import { clipGradient, clipLoss, groupAdvantages, hasZeroVariance } from '../../src/training/advantage.ts'
import { expectError } from '../support/expect-error.ts'
import { golden } from '../support/golden.ts'

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

  it('are at most (n − 1) / √n, whatever the rewards', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: -1, max: 4, noNaN: true }), { minLength: 2, maxLength: 16 }),
        (rewards) => {
          const most = (rewards.length - 1) / Math.sqrt(rewards.length)
          for (const advantage of groupAdvantages(rewards))
            expect(Math.abs(advantage)).toBeLessThanOrEqual(most + 1e-9)
        },
      ),
    )
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
    expectError(() => clipLoss(1, 1, clip), 'bad-config', Object.keys(clip)[0]),
  )
})
