import type { Fusion } from '../src/types.ts'
import { createFusion } from './common/create-fusion.ts'
import { f32 } from './common/float32.ts'
import { weaviateTie } from './common/weaviate-tie.ts'

/**
 * Weaviate's `rankedFusion`: Σ w / (59 + rank), so that the first rank contributes w / 60, rounded to a 32-bit float after
 * each list. A list without the document contributes nothing. Scores closer than 1e-7 are ties, which are broken by the raw
 * score in the last list that has the document.
 *
 * [hybrid_fusion.go](https://github.com/weaviate/weaviate/blob/main/usecases/traverser/hybrid/hybrid_fusion.go).
 */
export function weaviateRanked(): Fusion {
  return createFusion({
    name: 'weaviate-ranked',
    ranks: true,
    weighted: true,
    score: (entries) => entries.reduce((total, { rank, weight }) => f32(weight / (59 + rank) + total), 0),
    tie: weaviateTie,
  })
}
