import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { breakTies, orderByValue } from '../../../fusion/common/order-by-value.ts'

describe('orderByValue', () => {
  /** Equal values, close values, and some that are far from all others, or infinite. */
  const value = fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e12, max: 1e12 }),
    fc.constantFrom(0, 5e-324, 1, 1 + 1e-12, 1 + 2e-12, 2, -5, 1e9, 1e308, -1e308),
    fc.constantFrom(Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY),
  )

  it('orders like a sort by comparison', () => {
    fc.assert(
      fc.property(fc.array(value, { maxLength: 300 }), (values) => {
        const compare = (a: number, b: number): number => values[a]! - values[b]! || b - a
        const expected = values.map((_, index) => index).sort(compare)
        expect([...orderByValue(values, compare)]).toEqual(expected)
      }),
      { numRuns: 300 },
    )
  })

  it('uses the comparison for close values, even across buckets', () => {
    // Rounding puts the second before the first; the comparison treats them as equal and prefers the first.
    const values = [1 + 3e-16, 1, 0, 5]
    const compare = (a: number, b: number): number =>
      Math.abs(values[a]! - values[b]!) < 1e-12 ? a - b : values[a]! - values[b]!
    expect([...orderByValue(values, compare)]).toEqual([2, 0, 1, 3])
  })

  it('returns every index once, even if a value is NaN', () => {
    const strange = fc.oneof(value, fc.constant(Number.NaN))
    fc.assert(
      fc.property(fc.array(strange, { maxLength: 100 }), (values) => {
        const order = orderByValue(values, (a, b) => values[a]! - values[b]!)
        expect([...order].sort((a, b) => a - b)).toEqual(values.map((_, index) => index))
      }),
    )
  })

  it('sorts thousands of equal values', () => {
    const values = Array<number>(5000).fill(7)
    const order = orderByValue(values, (a, b) => b - a)
    expect(order[0]).toBe(4999)
    expect(order[4999]).toBe(0)
  })

  it('orders no values, and one', () => {
    expect([...orderByValue([], () => 0)]).toEqual([])
    expect([...orderByValue([3], () => 0)]).toEqual([0])
  })
})

it('breakTies sorts runs of close neighbors, and nothing else', () => {
  const scores = [5, 4.05, 4, 3.95, 1]
  const order = Int32Array.from([0, 1, 2, 3, 4])
  breakTies(order, scores, 0.1, (a, b) => b - a)
  expect([...order]).toEqual([0, 3, 2, 1, 4])
})
