import { describe, expect, it } from 'vitest'
import { opensearch } from '../../fusion/opensearch.ts'
import { opensearchRrf } from '../../fusion/opensearch-rrf.ts'
import { expectError } from '../support/expect-error.ts'
import { list, ranked, scoresOf } from './lists.ts'

const f32 = Math.fround
const least = f32(0.001)

const lists = [
  list([
    ['a', 9],
    ['b', 5],
    ['c', 1],
  ]),
  list([
    ['c', 0.75],
    ['a', 0.25],
  ]),
]

describe('min_max', () => {
  it('with the arithmetic mean counts a missing document as 0, and the lowest score as 0.001', () => {
    // a: (1 + 0.001) / 2; b: (0.5 + 0) / 2; c: (0.001 + 1) / 2
    expect(scoresOf(opensearch().fuse(lists))).toEqual({
      a: f32(f32(1 + least) / 2),
      b: 0.25,
      c: f32(f32(1 + least) / 2),
    })
  })

  it('maps a single score, and equal scores, to 1', () => {
    expect(scoresOf(opensearch().fuse([list([['a', 3]])]))).toEqual({ a: 1 })
    expect(
      scoresOf(
        opensearch().fuse([
          list([
            ['a', 3],
            ['b', 3],
          ]),
        ]),
      ),
    ).toEqual({ a: 1, b: 1 })
  })

  it('divides by the weights of all lists', () => {
    // b: 0.3 · 0.5 / (0.3 + 0.7)
    const { b } = scoresOf(opensearch().fuse(lists, { weights: [0.3, 0.7] }))
    expect(b).toBe(f32(f32(0.5 * f32(0.3)) / f32(f32(0.3) + f32(0.7))))
  })

  it('with the geometric mean skips lists without the document', () => {
    const { a, b } = scoresOf(opensearch({ combination: 'geometric_mean' }).fuse(lists))
    // a: √(1 · 0.001); b: 0.5
    expect(a).toBeCloseTo(Math.sqrt(0.001), 6)
    expect(b).toBe(0.5)
  })

  it('with the harmonic mean skips lists without the document', () => {
    const { a, b } = scoresOf(opensearch({ combination: 'harmonic_mean' }).fuse(lists, { weights: [1, 3] }))
    // a: (1 + 3) / (1/1 + 3/0.001); b: 1 / (1/0.5)
    expect(a).toBe(f32(4 / f32(1 + f32(3 / least))))
    expect(b).toBe(0.5)
  })
})

describe('bounds of min_max', () => {
  const one = [
    list([
      ['a', 9],
      ['b', 5],
      ['c', 1],
    ]),
  ]
  const scores = (options: Parameters<typeof opensearch>[0]): unknown =>
    scoresOf(opensearch(options).fuse(one))

  it('apply: the lower bound replaces the minimum for scores above it', () => {
    // bound 3: a (9 − 3) / (9 − 3), b (5 − 3) / 6, c (1 − 1) / 8 → 0.001
    expect(scores({ lowerBounds: [{ mode: 'apply', minScore: 3 }] })).toEqual({
      a: 1,
      b: f32(2 / 6),
      c: least,
    })
  })

  it('clip: scores below the lower bound become 0.001', () => {
    expect(scores({ lowerBounds: [{ mode: 'clip', minScore: 6 }] })).toEqual({ a: 1, b: least, c: least })
  })

  it('apply: the upper bound replaces the maximum for scores below it', () => {
    // bound 6: a (9 − 1) / (9 − 1), b (5 − 1) / (6 − 1), c 0 → 0.001
    expect(scores({ upperBounds: [{ maxScore: 6 }] })).toEqual({ a: 1, b: f32(4 / 5), c: least })
  })

  it('clip: scores above the upper bound become 1', () => {
    // bound 4: c 0 → 0.001
    expect(scores({ upperBounds: [{ mode: 'clip', maxScore: 4 }] })).toEqual({ a: 1, b: 1, c: least })
  })

  it('ignore: nothing changes', () => {
    const ignored = {
      lowerBounds: [{ mode: 'ignore', minScore: 3 }],
      upperBounds: [{ mode: 'ignore' }],
    } as const
    expect(scores(ignored)).toEqual(scores({}))
  })

  it('are only for min_max, and one per list', () => {
    const bounds = { lowerBounds: [{ minScore: 1 }] }
    for (const wrong of [
      () => opensearch({ normalization: 'l2', ...bounds }),
      () => opensearch({ ...bounds, upperBounds: [{}, {}] }),
      () => opensearch(bounds).fuse(lists),
    ]) {
      expectError(wrong, 'bad-config')
    }
  })
})

describe('l2', () => {
  it('divides by the root of the sum of squares', () => {
    expect(
      scoresOf(
        opensearch({ normalization: 'l2' }).fuse([
          list([
            ['a', 4],
            ['b', 3],
          ]),
        ]),
      ),
    ).toEqual({
      a: f32(4 / 5),
      b: f32(3 / 5),
    })
  })

  it('maps zeros to 0', () => {
    expect(scoresOf(opensearch({ normalization: 'l2' }).fuse([list([['a', 0]])]))).toEqual({ a: 0 })
  })
})

describe('z_score', () => {
  const scores = (...values: readonly number[]): unknown =>
    Object.values(
      scoresOf(
        opensearch({ normalization: 'z_score' }).fuse([
          list(values.map((value, place) => [`d${place}`, value])),
        ]),
      ),
    )

  it('is (s − μ) / σ with the sample deviation; 0.001 if that is not positive', () => {
    // μ = 3, σ = √((9 + 1 + 4 + 4) / 3) = √6
    expect(scores(6, 4, 1, 1)).toEqual([f32(3 / f32(Math.sqrt(6))), f32(1 / f32(Math.sqrt(6))), least, least])
  })

  it('maps a score equal to the mean to the largest score', () => {
    // μ = 3, σ = 2
    expect(scores(5, 3, 1)).toEqual([5, 1, least])
    expect(scores(7)).toEqual([7])
  })
})

describe('opensearch-rrf', () => {
  it('rounds 1 / (c + rank) half up to ten decimals', () => {
    // 1/61 = 0.01639344262…
    expect(scoresOf(opensearchRrf().fuse([ranked('a')]))).toEqual({ a: f32(0.0163934426) })
    // 1/(10000 + 1) = 0.00009999000099…: ten decimals are 0.0000999900
    expect(scoresOf(opensearchRrf({ rankConstant: 10_000 }).fuse([ranked('a')]))).toEqual({
      a: f32(0.00009999),
    })
  })

  it('adds weighted floats', () => {
    const { a } = scoresOf(opensearchRrf().fuse([ranked('a'), ranked('b', 'a')], { weights: [0.4, 0.6] }))
    expect(a).toBe(f32(f32(f32(0.0163934426) * f32(0.4)) + f32(f32(0.0161290323) * f32(0.6))))
  })
})
