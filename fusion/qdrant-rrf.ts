import { z } from 'zod'
import { parseConfig } from '../src/config.ts'
import type { Fusion } from '../src/types.ts'
import { createFusion } from './common/create-fusion.ts'
import { f32, sum32 } from './common/float32.ts'

/**
 * Qdrant's RRF: Σ 1 / (rank / w + k − 1) in 32-bit floats, added in the order of the lists. Without weights, its k is one more
 * than the paper's: k = 61 is `rrf` with k = 60. A list without the document contributes nothing.
 *
 * [reciprocal_rank_fusion.rs](https://github.com/qdrant/qdrant/blob/master/lib/segment/src/common/reciprocal_rank_fusion.rs).
 *
 * @param options.k a whole number, 1 or more. Default: 2
 * @throws QuerentError `bad-config` for another k; `bad-weights` for a weight below 0
 */
export function qdrantRrf(options?: { readonly k?: number }): Fusion {
  const { k } = parseConfig(schema, options, 'qdrant-rrf')
  return createFusion({
    name: 'qdrant-rrf',
    ranks: true,
    weighted: 'non-negative',
    score: (entries) =>
      sum32(entries.map(({ rank, weight }) => f32(1 / f32(f32(f32(rank / f32(weight)) + k) - 1)))),
  })
}

const schema = z.strictObject({ k: z.int().min(1).default(2) }).prefault({})
