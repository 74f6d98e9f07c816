import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cohensKappa, krippendorffsAlpha } from '../../src/evaluation/agreement.ts'

/** Pairs of grades from a table: `counts[a][b]` documents have the grade a from one judge, and b from the other. */
const pairsOf = (counts: readonly (readonly number[])[]): [number, number][] =>
  counts.flatMap((row, one) =>
    row.flatMap((count, other) => Array.from({ length: count }, (): [number, number] => [one, other])),
  )

describe("Cohen's kappa", () => {
  it('is that of Cohen (1960), table 1: 29 % agree, and 35 % by chance', () => {
    const table = [
      [50, 26, 24],
      [24, 4, 32],
      [6, 30, 4],
    ]
    expect(cohensKappa(pairsOf(table))).toBeCloseTo((0.29 - 0.35) / (1 - 0.35), 12)
  })

  it.each([
    ['nothing', [], undefined],
    ['one grade alone', [[1, 1]], undefined],
    // Half of the first judge's are 1, all of the second's: chance agrees on half, and so do they.
    ['a judge who always says the same', pairsOf([[0, 2], [0, 2]]), 0], // biome-ignore format: a table
    ['opposites', pairsOf([[0, 2], [2, 0]]), -1], // biome-ignore format: a table
  ] as const)('of %s', (_, pairs, kappa) => expect(cohensKappa(pairs)).toBe(kappa))
})

describe("Krippendorff's alpha", () => {
  it('is that of Krippendorff, "Computing Krippendorff\'s Alpha-Reliability" (2011), example C', () => {
    const [none, judges] = [
      0,
      [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, 0, 0, 0],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, 0, 3],
        [0, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, 0],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, 0],
      ],
    ]
    const units = judges[0]!.map((_, unit) =>
      judges.map((grades) => grades[unit]!).filter((one) => one !== none),
    )
    expect(krippendorffsAlpha(units)).toBeCloseTo(0.815, 3)
  })

  it('is worked out for two judges: of the ten grades, six are 0, three are 1, and one is 2', () => {
    const units = [
      ...[[0, 0], [0, 0], [0, 1], [1, 1], [0, 2]], // biome-ignore format: pairs
      // One grade is not compared.
      [2],
    ]
    // δ²(0, 1) = (6/2 + 3/2)², δ²(0, 2) = (6/2 + 3 + 1/2)², δ²(1, 2) = (3/2 + 1/2)²; each pair counts in both directions.
    const [near, far, high] = [4.5 ** 2, 6.5 ** 2, 2 ** 2]
    const [observed, expected] = [2 * (near + far), 2 * (18 * near + 6 * far + 3 * high)]
    expect(krippendorffsAlpha(units)).toBeCloseTo(1 - (9 * observed) / expected, 12)
  })

  it('is 1 for equal grades, undefined for one grade alone, and the same for any order of the judges', () => {
    expect(krippendorffsAlpha([[1, 1], [2, 2, 2]])).toBe(1) // biome-ignore format: short
    expect([krippendorffsAlpha([[1, 1]]), krippendorffsAlpha([])]).toEqual([undefined, undefined])
    const units = fc.array(fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 3 }), { maxLength: 20 })
    fc.assert(
      fc.property(units, (given) => {
        const [one, other] = [given, given.map((unit) => unit.toReversed())].map(krippendorffsAlpha)
        if (one === undefined) expect(other).toBeUndefined()
        else expect(one).toBeCloseTo(other!, 9)
      }),
    )
  })
})
