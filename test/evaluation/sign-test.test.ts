import fc from 'fast-check'
import { expect, it } from 'vitest'
import { chanceOfAtLeast, queriesNeeded, shareInterval, signTest } from '../../src/evaluation/sign-test.ts'

it('signTest counts the tosses that are as extreme', () => {
  // 9 or 10 heads of 10: 11 of 1,024, on either side.
  expect(signTest(9, 1)).toBeCloseTo(22 / 1024, 15)
  expect(signTest(1, 9)).toBe(signTest(9, 1))
  expect(signTest(5, 5)).toBe(1)
  expect(signTest(0, 0)).toBe(1)
  // 2 · Σ C(10000, k) / 2^10000 for k from 5,270, in exact integers.
  expect(signTest(5270, 4730)).toBeCloseTo(6.99648391e-8, 14)
})

it('shareInterval is that of Clopper and Pearson', () => {
  // R, binom.test(9, 10)$conf.int: 0.5549839 0.9974714
  const { low, high } = shareInterval(9, 1)
  expect(low).toBeCloseTo(0.5549839, 6)
  expect(high).toBeCloseTo(0.9974714, 6)
  expect(shareInterval(0, 0)).toEqual({ low: 0, high: 1 })
  expect(shareInterval(0, 4).low).toBe(0)
})

it('shareInterval leaves out one half where the sign test finds a winner', () =>
  fc.assert(
    fc.property(fc.nat(400), fc.nat(400), (wins, losses) => {
      const { low, high } = shareInterval(wins, losses)
      expect(low > 0.5 || high < 0.5).toBe(signTest(wins, losses) < 0.05)
    }),
  ))

it.each([0.55, 0.6, 0.65, 0.75, 0.9, 0.3])(
  'queriesNeeded: as many find a share of %d in four of five',
  (share) => {
    const power = powerOf(queriesNeeded(share), share)
    // Exact tests jump from one count to the next.
    expect(power).toBeGreaterThan(0.79)
    expect(power).toBeLessThan(0.9)
  },
)

/** The chance that an exact sign test of n queries at a level of 0.05 finds this share of wins. */
function powerOf(n: number, share: number): number {
  const least = Array.from({ length: n + 1 }, (_, wins) => wins).find(
    (wins) => 2 * wins > n && signTest(wins, n - wins) < 0.05,
  )!
  return chanceOfAtLeast(least, n, share) + chanceOfAtLeast(least, n, 1 - share)
}
