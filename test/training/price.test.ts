import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { charged } from '../../src/training/price.ts'

describe('what a choice is charged for', () => {
  it('is nothing unless it is told', () => {
    expect(charged(1.5, {}, { stage: 2, size: 3, asIs: 2 })).toBe(1.5)
  })

  it('is each of its sub-queries, in both stages', () => {
    expect(charged(1.5, { cost: 0.1 }, { stage: 1, size: 3, asIs: 2 })).toBeCloseTo(1.2)
    expect(charged(1.5, { cost: 0.1 }, { stage: 2, size: 3, asIs: 1 })).toBeCloseTo(1.2)
  })

  it('is harm to what the query as it is finds, in Stage II alone', () => {
    // 0.2 less than as it is, and half as much again: 1.8 − 0.1.
    expect(charged(1.8, { harm: 0.5 }, { stage: 2, size: 1, asIs: 2 })).toBeCloseTo(1.7)
    expect(charged(1.8, { harm: 0.5 }, { stage: 1, size: 1, asIs: 2 })).toBe(1.8)
    expect(charged(2.2, { harm: 0.5 }, { stage: 2, size: 1, asIs: 2 })).toBe(2.2)
  })

  it('never makes the worse choice the better one', () => {
    const reward = fc.double({ min: -1, max: 4, noNaN: true })
    fc.assert(
      fc.property(
        reward,
        reward,
        reward,
        fc.double({ min: 0, max: 3, noNaN: true }),
        (one, other, asIs, harm) => {
          const [worse, better] = one < other ? [one, other] : [other, one]
          const price = (earned: number): number => charged(earned, { harm }, { stage: 2, size: 2, asIs })
          expect(price(worse)).toBeLessThanOrEqual(price(better) + 1e-12)
        },
      ),
    )
  })
})
