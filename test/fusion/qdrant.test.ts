import { describe, expect, it } from 'vitest'
import { qdrantDbsf } from '../../fusion/qdrant-dbsf.ts'
import { qdrantRrf } from '../../fusion/qdrant-rrf.ts'
import { rrf } from '../../fusion/rrf.ts'
import { expectError } from '../support/expect-error.ts'
import { list, ranked, scoresOf } from './lists.ts'

const f32 = Math.fround

describe('qdrant-rrf', () => {
  it("gives the scores of Qdrant's own test", () => {
    // reciprocal_rank_fusion.rs: ids 2 1 | 1 2 3 | 5 3 1 → 1: 1.0833334, 2: 0.8333334, 3: 0.5833334, 5: 0.5
    const scores = scoresOf(
      qdrantRrf().fuse([ranked('2', '1'), ranked('1', '2', '3'), ranked('5', '3', '1')]),
    )
    expect(scores).toEqual({ 1: f32(1.0833334), 2: f32(0.8333334), 3: f32(0.5833334), 5: 0.5 })
  })

  it('with k = 61 is RRF with k = 60', () => {
    const lists = [ranked('a', 'b', 'c'), ranked('c', 'a')]
    const paper = scoresOf(rrf().fuse(lists))
    for (const [docid, score] of Object.entries(scoresOf(qdrantRrf({ k: 61 }).fuse(lists)))) {
      expect(score).toBeCloseTo(paper[docid]!, 7)
    }
  })

  it('divides the rank by the weight', () => {
    // 1 / (2/4 + 2 − 1) and 1 / (1/0 + …) = 0
    const scores = scoresOf(qdrantRrf().fuse([ranked('x', 'a'), ranked('b')], { weights: [4, 0] }))
    expect(scores.a).toBe(f32(1 / 1.5))
    expect(scores.b).toBe(0)
  })

  it('rejects a weight below 0', () => {
    expectError(
      () => qdrantRrf().fuse([ranked('a'), ranked('a')], { weights: [1, -0.5] }),
      'bad-weights',
      /\b2 .*-0\.5/,
    )
  })
})

describe('qdrant-dbsf', () => {
  it('scales from three sample deviations below the mean to three above', () => {
    // μ = 4, σ = √((4 + 0 + 4) / 2) = 2: from −2 to 10; 6 → 8/12, 4 → 6/12, 2 → 4/12
    const { a, b, c } = scoresOf(
      qdrantDbsf().fuse([
        list([
          ['a', 6],
          ['b', 4],
          ['c', 2],
        ]),
      ]),
    )
    expect([a, b, c]).toEqual([f32(8 / 12), 0.5, f32(4 / 12)])
  })

  it('maps a single score, and equal scores, to 0.5', () => {
    expect(
      scoresOf(
        qdrantDbsf().fuse([
          list([['a', 7]]),
          list([
            ['b', 2],
            ['c', 2],
          ]),
        ]),
      ),
    ).toEqual({ a: 0.5, b: 0.5, c: 0.5 })
  })

  it('does not clamp', () => {
    // Eleven zeros and a 12: μ = 1, σ = √(132 / 11) = √12; (12 − 1 + 3√12) / 6√12 = 1.029
    const scores = list([['top', 12], ...Array.from({ length: 11 }, (_, place) => [`d${place}`, 0] as const)])
    expect(scoresOf(qdrantDbsf().fuse([scores])).top).toBeCloseTo(
      (11 + 3 * Math.sqrt(12)) / (6 * Math.sqrt(12)),
      6,
    )
  })
})
