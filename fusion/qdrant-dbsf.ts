import type { Fusion } from '../src/types.ts'
import { createFusion } from './common/create-fusion.ts'
import { f32, sum32 } from './common/float32.ts'

/**
 * Qdrant's distribution-based score fusion: Σ (s − (μ − 3σ)) / 6σ in 32-bit floats, added in the order of the lists, with the
 * sample deviation σ of each list, and not clamped. The scores of a list with one hit, or with equal scores, become 0.5. A
 * list without the document contributes nothing.
 *
 * [score_fusion.rs](https://github.com/qdrant/qdrant/blob/master/lib/segment/src/common/score_fusion.rs).
 */
export function qdrantDbsf(): Fusion {
  return createFusion({
    name: 'qdrant-dbsf',
    norm: distribution,
    score: (entries) => sum32(entries.map(({ score }) => f32(score))),
  })
}

function distribution(scores: readonly number[]): number[] {
  if (scores.length < 2) return scores.map(() => 0.5)
  const { mean, variance } = meanAndVariance(scores)
  const deviation = f32(Math.sqrt(variance))
  const lowest = f32(mean - f32(3 * deviation))
  const highest = f32(mean + f32(3 * deviation))
  if (lowest === highest) return scores.map(() => 0.5)
  return scores.map((score) => f32(f32(f32(score) - lowest) / f32(highest - lowest)))
}

/** Welford's method, as in Qdrant: another method would give other digits in 32-bit floats. */
function meanAndVariance(scores: readonly number[]): { readonly mean: number; readonly variance: number } {
  let mean = 0
  let squares = 0
  for (const [index, value] of scores.entries()) {
    const score = f32(value)
    const before = f32(score - mean)
    mean = f32(mean + f32(before / (index + 1)))
    squares = f32(squares + f32(before * f32(score - mean)))
  }
  return { mean, variance: f32(squares / (scores.length - 1)) }
}
