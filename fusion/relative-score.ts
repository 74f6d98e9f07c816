import type { Fusion } from '../src/types.ts'
import { createFusion } from './create-fusion.ts'
import { weaviateTie } from './weaviate-tie.ts'

/**
 * Relative score fusion, Weaviate's `relativeScoreFusion`: Σ w · (s − min) / (max − min) in 32-bit floats, added in the order
 * of the lists; a list of equal scores becomes w. Others call it RSF, which here is never short for rank-score. A list that
 * does not have a document gives it nothing. Ties are decided as in `weaviate-ranked`.
 *
 * [hybrid_fusion.go](https://github.com/weaviate/weaviate/blob/main/usecases/traverser/hybrid/hybrid_fusion.go).
 */
export function relativeScore(): Fusion {
  return createFusion({
    name: 'relative-score',
    weighted: true,
    norm: relative,
    score: (entries) =>
      entries.reduce((total, { score, weight }) => f32(f32(f32(weight) * f32(score)) + total), 0),
    tie: weaviateTie,
  })
}

const f32 = Math.fround

function relative(scores: readonly number[]): number[] {
  const floats = scores.map(f32)
  const lowest = floats.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY)
  const range = f32(floats.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY) - lowest)
  return floats.map((score) => (range === 0 ? 1 : f32(f32(score - lowest) / range)))
}
