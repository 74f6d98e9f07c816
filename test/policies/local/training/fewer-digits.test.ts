import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { withFewerDigits } from '../../../../policies/local/training/fewer-digits.ts'

const unit = (...weights: number[]) => ({ bias: 0.12345, weights, out: 0.98765 })
const shortenedTo = (...weights: number[]): readonly number[] =>
  withFewerDigits({ hidden: [unit(...weights)] }).hidden[0]!.weights

describe('withFewerDigits', () => {
  it('rounds the weights of a unit to the place of the third digit of its largest', () => {
    expect(shortenedTo(12.345, -0.0123456, 0.04, -7.7777, 0)).toEqual([12.3, 0, 0, -7.8, 0])
    expect(shortenedTo(1.2345e-9, -2e-11)).toEqual([1.23e-9, -2e-11])
    expect(shortenedTo(0, -0)).toEqual([0, 0])
  })

  it('leaves everything else as it is, wherever networks are', () => {
    const scorer = { inputs: ['a'], mean: [0.123456], skip: [0.00012345], hidden: [unit(1.2345)] }
    expect(withFewerDigits({ gains: [scorer], seeds: { a: scorer } })).toEqual({
      gains: [{ ...scorer, hidden: [unit(1.23)] }],
      seeds: { a: { ...scorer, hidden: [unit(1.23)] } },
    })
  })

  it('moves no weight by more than half a percent of the largest, and nothing the second time', () => {
    // Training makes none that are smaller.
    const weight = fc
      .double({ min: -1000, max: 1000, noNaN: true })
      .filter((value) => Math.abs(value) > 1e-90)
    fc.assert(
      fc.property(fc.array(weight, { minLength: 1, maxLength: 8 }), (weights) => {
        const once = shortenedTo(...weights)
        const largest = Math.max(...weights.map(Math.abs))
        for (const [place, value] of once.entries())
          expect(Math.abs(value - weights[place]!)).toBeLessThanOrEqual(largest / 199)
        expect(shortenedTo(...once)).toEqual(once)
      }),
    )
  })
})
