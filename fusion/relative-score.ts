import type { Fusion } from '../src/types.ts'
import { createFusion } from './common/create-fusion.ts'
import { f32, sum32 } from './common/float32.ts'
import { rangeOf } from './common/range.ts'
import { weaviateTie } from './common/weaviate-tie.ts'

/**
 * Relative score fusion, Weaviate's `relativeScoreFusion`: Σ w · (s − min) / (max − min) in 32-bit floats, added in the order
 * of the lists. In a list of equal scores, each hit contributes w. A list without the document contributes nothing. Ties are
 * broken as in `weaviate-ranked`. Elsewhere this method is called RSF; Querent never abbreviates rank-score fusion so.
 *
 * [hybrid_fusion.go](https://github.com/weaviate/weaviate/blob/main/usecases/traverser/hybrid/hybrid_fusion.go).
 */
export function relativeScore(): Fusion {
  return createFusion({
    name: 'relative-score',
    weighted: true,
    norm: relative,
    score: (entries) => sum32(entries.map(({ score, weight }) => f32(f32(weight) * f32(score)))),
    tie: weaviateTie,
  })
}

function relative(scores: readonly number[]): number[] {
  const floats = scores.map(f32)
  const [min, max] = rangeOf(floats)
  return floats.map((score) => (max === min ? 1 : f32(f32(score - min) / f32(max - min))))
}
