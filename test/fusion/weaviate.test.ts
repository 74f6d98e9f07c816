import { describe, expect, it } from 'vitest'
import { relativeScore } from '../../fusion/relative-score.ts'
import { weaviateRanked } from '../../fusion/weaviate-ranked.ts'
import { docidsOf, list, ranked, scoresOf } from './lists.ts'

const f32 = Math.fround

describe('weaviate-ranked', () => {
  it('gives the first rank 1/60, and rounds to a float after each list', () => {
    const { a, b } = scoresOf(
      weaviateRanked().fuse([ranked('a', 'b'), ranked('b')], { weights: [0.25, 0.75] }),
    )
    expect(a).toBe(f32(0.25 / 60))
    expect(b).toBe(f32(0.75 / 60 + f32(0.25 / 61)))
  })

  it('breaks ties by the raw score in the last list', () => {
    expect(docidsOf(weaviateRanked().fuse([list([['a', 0.3]]), list([['b', 9]])]))).toEqual(['b', 'a'])
    const crossed = [
      list([
        ['a', 5],
        ['b', 4],
      ]),
      list([
        ['b', 0.9],
        ['a', 0.1],
      ]),
    ]
    expect(docidsOf(weaviateRanked().fuse(crossed))).toEqual(['b', 'a'])
    expect(docidsOf(weaviateRanked().fuse([...crossed].reverse()))).toEqual(['a', 'b'])
  })
})

describe('relative-score', () => {
  it("gives the normalized scores of Weaviate's own example", () => {
    // "Input score = [1, 8, 6, 11] => [0, 0.7, 0.5, 1]"
    const input = list([
      ['d', 11],
      ['b', 8],
      ['c', 6],
      ['a', 1],
    ])
    expect(scoresOf(relativeScore().fuse([input]))).toEqual({ d: 1, b: f32(0.7), c: 0.5, a: 0 })
  })

  it('multiplies by weights and adds', () => {
    const lists = [
      list([
        ['a', 3],
        ['b', 2],
        ['c', 1],
      ]),
      list([
        ['b', 0.8],
        ['a', 0.4],
      ]),
    ]
    const { a, b } = scoresOf(relativeScore().fuse(lists, { weights: [0.3, 0.7] }))
    // a: 0.3 · 1 + 0.7 · 0; b: 0.3 · 0.5 + 0.7 · 1
    expect(a).toBe(f32(0.3))
    expect(b).toBe(f32(f32(f32(0.3) * 0.5) + f32(0.7)))
  })

  it('gives each hit of a list of equal scores the list weight', () => {
    const lists = [
      list([
        ['a', 2],
        ['b', 2],
      ]),
      list([['c', 5]]),
    ]
    expect(scoresOf(relativeScore().fuse(lists, { weights: [0.25, 0.5] }))).toEqual({
      a: 0.25,
      b: 0.25,
      c: 0.5,
    })
  })

  it('treats scores closer than 1e-7 as ties, and breaks them by the raw score', () => {
    // (1 + 6e-8 − 0) / (2 − 0) and 1/2 are 3e-8 apart.
    const lists = [
      list([
        ['x', 2],
        ['a', 1 + 1.2e-7],
        ['z', 0],
      ]),
      list([
        ['y', 40],
        ['b', 20],
        ['w', 0],
      ]),
    ]
    const hits = relativeScore().fuse(lists)
    const scores = scoresOf(hits)
    expect(scores.a! - scores.b!).toBeGreaterThan(0)
    expect(scores.a! - scores.b!).toBeLessThan(1e-7)
    expect(docidsOf(hits)).toEqual(['y', 'x', 'b', 'a', 'w', 'z'])
  })
})
