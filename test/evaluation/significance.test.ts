import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  bootstrapDifference,
  bootstrapMean,
  holm,
  randomizationTest,
} from '../../src/evaluation/significance.ts'
import { mean, quantile } from '../../src/learn/statistics.ts'
import { expectError } from '../support/expect-error.ts'

/** Forty differences with mean 0.0942. */
const differences = Array.from({ length: 40 }, (_, index) => 0.3 * Math.sin(index + 1) + 0.08)
const zeros = differences.map(() => 0)

describe('randomizationTest', () => {
  it('tries all assignments of few queries', () => {
    // scipy.stats.permutation_test(permutation_type='samples', n_resamples=inf) on these: p = 24 / 256.
    const a = [0.4, 0.9, 0.2, 0.7, 0.55, 0.8, 0.31, 0.66]
    const b = [0.35, 0.6, 0.25, 0.5, 0.55, 0.41, 0.2, 0.7]
    const result = randomizationTest(a, b)
    expect(result.p).toBeCloseTo(24 / 256, 15)
    expect(result.difference).toBeCloseTo(0.12, 15)
    // The fifth query does not differ.
    expect(result).toMatchObject({ exact: true, rounds: 2 ** 7 })
  })

  it('counts both directions', () => {
    // All three better by as much: of the eight assignments +++ and −−− are as extreme.
    expect(randomizationTest([1, 1, 1], [0, 0, 0]).p).toBe(2 / 8)
    expect(randomizationTest([0, 0, 0], [1, 1, 1]).p).toBe(2 / 8)
  })

  it('finds no difference where there is none', () => {
    expect(randomizationTest([0.5, 0.1], [0.5, 0.1])).toEqual({ difference: 0, p: 1, exact: true, rounds: 1 })
  })

  it('samples assignments of many queries, always the same for a seed', () => {
    const result = randomizationTest(differences, zeros, { rounds: 20_000 })
    // scipy with 200,000 samples: 0.01004; a sample of 20,000 has a standard error of 0.0007.
    expect(Math.abs(result.p - 0.01004)).toBeLessThan(0.0021)
    expect(result).toMatchObject({ exact: false, rounds: 20_000 })
    expect(randomizationTest(differences, zeros, { rounds: 20_000 })).toEqual(result)
    expect(randomizationTest(differences, zeros, { rounds: 20_000, seed: 2 }).p).not.toBe(result.p)
  })

  it('is never 0', () => {
    expect(randomizationTest(Array(50).fill(1), Array(50).fill(0), { rounds: 99 }).p).toBe(1 / 100)
  })

  it('is the same in both directions, above 0 and at most 1', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -9, max: 9 }), { minLength: 1, maxLength: 30 }), (values) => {
        const none = values.map(() => 0)
        const { p } = randomizationTest(values, none, { rounds: 100 })
        expect(p).toBeGreaterThan(0)
        expect(p).toBeLessThanOrEqual(1)
        expect(randomizationTest(none, values, { rounds: 100 }).p).toBe(p)
      }),
    )
  })

  it('refuses what cannot be compared', () => {
    for (const values of [[], [1, 2]]) {
      expectError(() => randomizationTest(values, [1]), 'bad-config')
    }
    expectError(() => randomizationTest([], []), 'bad-config', 'no values')
    expectError(() => randomizationTest([1], [0], { rounds: 0 }), 'bad-config', 'rounds')
  })
})

describe('holm', () => {
  it('multiplies the i-th smallest by m − i + 1 and lets none fall below the one before', () => {
    // In ascending order: 0.005 · 4, 0.01 · 3, 0.03 · 2, and 0.04 · 1 raised to 0.06.
    const corrected = holm([0.01, 0.04, 0.03, 0.005])
    for (const [index, p] of [0.03, 0.06, 0.06, 0.02].entries()) expect(corrected[index]).toBeCloseTo(p, 15)
  })

  it('stays at 1 at the most', () => {
    expect(holm([0.6, 0.9])).toEqual([1, 1])
    expect(holm([])).toEqual([])
  })
})

describe('bootstrap', () => {
  it('gives an interval of the mean', () => {
    // scipy.stats.bootstrap(method='percentile', n_resamples=100000): 0.0277 to 0.1600.
    const interval = bootstrapMean(differences)
    expect(interval.mean).toBeCloseTo(mean(differences), 15)
    expect(Math.abs(interval.low - 0.0277)).toBeLessThan(0.004)
    expect(Math.abs(interval.high - 0.16)).toBeLessThan(0.004)
    expect(bootstrapMean(differences)).toEqual(interval)
    const narrower = bootstrapMean(differences, { confidence: 0.5 })
    expect(narrower.low).toBeGreaterThan(interval.low)
    expect(narrower.high).toBeLessThan(interval.high)
  })

  it('draws whole queries', () => {
    const a = differences.map((value, index) => value + index)
    const b = differences.map((_, index) => index)
    const interval = bootstrapDifference(a, b)
    expect(interval.low).toBeCloseTo(bootstrapMean(differences).low, 12)
  })

  it('has no width where all values are the same', () => {
    expect(bootstrapMean([0.5, 0.5, 0.5])).toEqual({ mean: 0.5, low: 0.5, high: 0.5 })
  })

  it('refuses what it cannot use', () => {
    expectError(() => bootstrapMean([]), 'bad-config', 'no values')
    expectError(() => bootstrapMean([1], { confidence: 95 }), 'bad-config', 'confidence')
    expectError(() => bootstrapDifference([1], []), 'bad-config', /1 and 0/)
  })
})

describe('quantile', () => {
  // numpy.quantile([1, 2, 4, 8], …)
  it.each([
    [0, 1],
    [0.25, 1.75],
    [0.5, 3],
    [0.95, 7.4],
    [1, 8],
  ])('%d', (q, expected) => {
    expect(quantile([1, 2, 4, 8], q)).toBeCloseTo(expected, 14)
  })

  it('is 0 for nothing', () => {
    expect(quantile([], 0.5)).toBe(0)
  })
})
