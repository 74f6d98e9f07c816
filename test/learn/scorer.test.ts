import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { explainScore, prepareScorer, type Scorer } from '../../src/learn/scorer.ts'

/** z = (x − [1, 0]) / [2, 1]; score = .5 z₁ − z₂ + 2 · max(0, z₁ + z₂ − .25). */
const small: Scorer = {
  inputs: ['a', 'b'],
  mean: [1, 0],
  deviation: [2, 1],
  skip: [0.5, -1],
  hidden: [{ bias: -0.25, weights: [1, 1], out: 2 }],
}

const scoresOf = (scorer: Scorer, ...rows: number[][]): number[] => [
  ...prepareScorer(scorer)(Float64Array.from(rows.flat()), rows.length),
]

describe('prepareScorer', () => {
  it('computes the formula', () => {
    // z = [1, 2]: .5 − 2 + 2 · 2.75. z = [0, 0]: the unit is off. z = [−1, .5]: −.5 − .5, off.
    expect(scoresOf(small, [3, 2], [1, 0], [-1, 0.5])).toEqual([4, 0, -1])
  })

  it('clips at five deviations, and treats NaN as the mean', () => {
    expect(scoresOf(small, [1001, 0])).toEqual(scoresOf(small, [11, 0]))
    expect(scoresOf(small, [Number.NEGATIVE_INFINITY, 0])).toEqual(scoresOf(small, [-9, 0]))
    expect(scoresOf(small, [Number.NaN, 2])).toEqual(scoresOf(small, [1, 2]))
  })

  it('writes only the requested rows', () => {
    const into = Float64Array.of(7, 7, 7)
    expect(prepareScorer(small)(Float32Array.of(3, 2, 1, 0), 2, into)).toBe(into)
    expect([...into]).toEqual([4, 0, 7])
  })

  it('gives a row the same score at any place, next to any other rows', () => {
    const score = prepareScorer(small)
    const rows = fc.array(fc.tuple(fc.float({ min: -9, max: 9 }), fc.float({ min: -9, max: 9 })), {
      maxLength: 11,
    })
    fc.assert(
      fc.property(rows, (drawn) => {
        const table = Float32Array.from(drawn.flat())
        const alone = drawn.map((_, row) => score(table.subarray(2 * row, 2 * row + 2), 1)[0])
        expect([...score(table, drawn.length)]).toEqual(alone)
      }),
    )
  })

  it('computes the formula with any number of units and rows', () => {
    const three = fc.tuple(...[0, 1, 2].map(() => fc.integer({ min: -4, max: 4 })))
    const unit = fc.record({
      bias: fc.integer({ min: -4, max: 4 }),
      weights: three,
      out: fc.constantFrom(-1, 2),
    })
    const units = fc.array(unit, { maxLength: 6 })
    const rows = fc.array(three, { maxLength: 10 })
    const dot = (a: readonly number[], b: readonly number[]): number =>
      a.reduce((sum, value, place) => sum + value * b[place]!, 0)
    fc.assert(
      fc.property(three, units, rows, (skip, hidden, drawn) => {
        const scorer = { inputs: ['a', 'b', 'c'], mean: [0, 0, 0], deviation: [1, 1, 1], skip, hidden }
        const expected = drawn.map((row) =>
          hidden.reduce(
            (sum, { bias, weights, out }) => sum + out * Math.max(0, dot(weights, row) + bias),
            dot(skip, row),
          ),
        )
        // Of whole numbers, so that nothing is rounded; −0 is 0.
        expect(scoresOf(scorer, ...drawn).map((score) => score + 0)).toEqual(
          expected.map((score) => score + 0),
        )
      }),
    )
  })

  it('works without hidden units', () => expect(scoresOf({ ...small, hidden: [] }, [3, 2])).toEqual([-1.5]))
})

describe('explainScore', () => {
  it('splits the score into the contributions of the inputs', () => {
    // z = [1, 2], the unit is on: gradient .5 + 2 and −1 + 2.
    const features = Float64Array.of(0, 0, 3, 2)
    expect(explainScore(small, features, 1)).toEqual({ score: 4, parts: [2.5, 2], rest: -0.5 })
    // z = [−1, .5], off: the linear path alone.
    expect(explainScore(small, Float64Array.of(-1, 0.5))).toEqual({ score: -1, parts: [-0.5, -0.5], rest: 0 })
  })

  it('returns parts that sum to the score', () => {
    const number = fc.float({ min: -8, max: 8, noNaN: true })
    fc.assert(
      fc.property(fc.array(number, { minLength: 12, maxLength: 12 }), (drawn) => {
        const scorer: Scorer = {
          ...small,
          hidden: [
            { bias: drawn[0]!, weights: drawn.slice(1, 3), out: drawn[3]! },
            { bias: drawn[4]!, weights: drawn.slice(5, 7), out: drawn[7]! },
          ],
        }
        const features = Float64Array.from(drawn.slice(8, 10))
        const { score, parts, rest } = explainScore(scorer, features)
        expect(score).toBeCloseTo(prepareScorer(scorer)(features, 1)[0]!, 6)
        expect(parts.reduce((sum, part) => sum + part, rest)).toBe(score)
      }),
    )
  })
})
