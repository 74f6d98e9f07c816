import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareReciprocalSums, type Ranks, reciprocalSums } from '../../../fusion/common/fraction.ts'

/** Σ 1/rank over a common denominator: the plain definition, to check the fast one. */
function exactSum(ranks: readonly number[]): readonly [numerator: bigint, denominator: bigint] {
  const denominator = ranks.reduce((product, rank) => product * BigInt(rank), 1n)
  return [ranks.reduce((sum, rank) => sum + denominator / BigInt(rank), 0n), denominator]
}

function exactSign(a: readonly number[], b: readonly number[]): number {
  const [numeratorA, denominatorA] = exactSum(a)
  const [numeratorB, denominatorB] = exactSum(b)
  const difference = numeratorA * denominatorB - numeratorB * denominatorA
  return difference > 0n ? 1 : difference < 0n ? -1 : 0
}

const placed = (ranks: readonly number[]): Ranks => ranks.map((rank) => ({ rank })) as [...Ranks]

const compare = (a: readonly number[], b: readonly number[]): number =>
  Math.sign(compareReciprocalSums(placed(a), placed(b)))

/** All ranks of a document in up to three lists, up to `max`, ascending. */
function combinations(max: number): number[][] {
  const found: number[][] = []
  for (let a = 1; a <= max; a++) {
    found.push([a])
    for (let b = a; b <= max; b++) {
      found.push([a, b])
      for (let c = b; c <= max; c++) found.push([a, b, c])
    }
  }
  return found
}

describe('where doubles break ties', () => {
  it.each([
    { a: [1], b: [2, 3, 6] },
    { a: [1, 2, 6], b: [1, 3, 3] },
    { a: [1, 5], b: [1, 6, 30] },
    { a: [2, 12], b: [3, 4] },
  ])('$a and $b are equal', ({ a, b }) => {
    const { sums, isExact } = reciprocalSums([a, b].map(placed))
    expect(isExact).toBe(true)
    expect(sums[0]).toBe(sums[1])
    expect(compare(a, b)).toBe(0)
  })

  it('shows that the doubles differ', () => {
    expect(1 / 2 + 1 / 3 + 1 / 6).not.toBe(1)
    expect(1 + 1 / 2 + 1 / 6).not.toBe(1 + 1 / 3 + 1 / 3)
    expect(1 / (1 / 2 + 1 / 12)).not.toBe(1 / (1 / 3 + 1 / 4))
  })
})

it('orders all ranks up to 20 in up to three lists as exact fractions do', () => {
  const rows = combinations(20)
  expect(rows).toHaveLength(20 + 210 + 1540)
  const { sums, isExact } = reciprocalSums(rows.map(placed))
  expect(isExact).toBe(true)
  const order = rows.map((_, row) => row).sort((a, b) => exactSign(rows[a]!, rows[b]!))
  let ties = 0
  for (const [place, row] of order.slice(1).entries()) {
    const before = order[place]!
    const sign = exactSign(rows[before]!, rows[row]!)
    if (sign === 0) ties++
    const actual = [Math.sign(sums[before]! - sums[row]!), compare(rows[before]!, rows[row]!)]
    expect(actual, `${rows[before]} and ${rows[row]}`).toEqual([sign, sign])
  }
  expect(ties).toBeGreaterThan(100)
})

it('does not depend on the order of the ranks: 1, 1, 3 and 1, 3, 1', () => {
  const all = [1, 2, 3, 4, 5, 6, 7].flatMap((a) =>
    [1, 2, 3].flatMap((b) => [1, 3, 6, 7].map((c) => [a, b, c])),
  )
  for (const [a, b, c] of all as [number, number, number][]) {
    const orders = [
      [a, b, c],
      [c, a, b],
      [b, c, a],
    ]
    const [first, ...others] = reciprocalSums(orders.map(placed)).sums
    expect(others).toEqual([first, first])
  }
})

describe('fractions too long for doubles', () => {
  const deep = fc.array(fc.integer({ min: 1, max: 100_000 }), { minLength: 1, maxLength: 12 })

  it('are compared exactly', () => {
    fc.assert(
      fc.property(deep, deep, (a, b) => {
        expect(compare(a, b)).toBe(exactSign(a, b))
        expect(compare(a, [...a].reverse())).toBe(0)
      }),
    )
  })

  it('are summed from the smallest rank up, and reported as not exact', () => {
    const ranks = [99_991, 99_989, 99_971, 99_961, 7]
    const { sums, isExact } = reciprocalSums([ranks, [...ranks].reverse()].map(placed))
    expect(isExact).toBe(false)
    const sum = 1 / 7 + 1 / 99_961 + 1 / 99_971 + 1 / 99_989 + 1 / 99_991
    expect(sums).toEqual([sum, sum])
  })

  it('distinguishes sums that are equal as doubles', () => {
    const a = [100_000, 99_999, 99_998, 99_997]
    const b = [100_000, 99_999, 99_998, 99_998]
    expect(compare(a, b)).toBe(1)
    expect(compare(b, a)).toBe(-1)
  })
})
