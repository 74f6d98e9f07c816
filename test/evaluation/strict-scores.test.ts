import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decreasingScores } from '../../src/evaluation/strict-scores.ts'

describe('decreasingScores', () => {
  it('keeps scores that fall', () => {
    expect(decreasingScores([3, 1.1, 0, -0.25])).toEqual([3, 1.1, 0, -0.25])
    expect(decreasingScores([])).toEqual([])
  })

  it('puts a tied score to the next single-precision number below', () => {
    // One unit in the last place of a 24-bit significand: 2^-24 below 1, 2^-23 above.
    expect(decreasingScores([1, 1, 1])).toEqual([1, 1 - 2 ** -24, 1 - 2 ** -23])
    expect(decreasingScores([0, 0, -1])).toEqual([0, -(2 ** -149), -1])
    expect(decreasingScores([-1, -1])).toEqual([-1, -1 - 2 ** -23])
  })

  it('parts scores that only double precision can tell apart', () => {
    expect(decreasingScores([1, 1 - 2 ** -40])).toEqual([1, 1 - 2 ** -24])
  })

  it('keeps the order of a list whose scores rise', () => {
    expect(decreasingScores([1, 5])).toEqual([1, 1 - 2 ** -24])
  })

  it('counts ranks where single precision cannot hold a score', () => {
    expect(decreasingScores([1, -1e300])).toEqual([1, 1 / 2])
  })

  it('falls strictly in single and in double precision, whatever the scores', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.double(), fc.constantFrom(0, 1, -1, 1e-45))), (scores) => {
        const written = decreasingScores(scores).map(String)
        for (const read of [Number, (text: string) => Math.fround(Number(text))]) {
          const numbers = written.map(read)
          expect(numbers.every(Number.isFinite)).toBe(true)
          expect(numbers.every((number, index) => index === 0 || number < numbers[index - 1]!)).toBe(true)
        }
      }),
    )
  })
})
