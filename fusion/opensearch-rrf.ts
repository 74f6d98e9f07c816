import { z } from 'zod'
import { parseConfig } from '../src/config.ts'
import type { Fusion } from '../src/types.ts'
import { createFusion } from './common/create-fusion.ts'
import { f32, sum32 } from './common/float32.ts'

/**
 * OpenSearch's `rrf` processor: Σ w / (c + rank), where 1 / (c + rank) is rounded half up to ten decimals, then to a 32-bit
 * float, and added in 32-bit floats in the order of the lists. A list without the document contributes nothing.
 *
 * [RRFNormalizationTechnique](https://github.com/opensearch-project/neural-search/blob/main/src/main/java/org/opensearch/neuralsearch/processor/normalization/RRFNormalizationTechnique.java).
 *
 * @param options.rankConstant c, a whole number from 1 to 10000. Default: 60
 * @throws QuerentError `bad-config` for other values
 */
export function opensearchRrf(options?: { readonly rankConstant?: number }): Fusion {
  const { rankConstant } = parseConfig(schema, options, 'opensearch-rrf')
  return createFusion({
    name: 'opensearch-rrf',
    ranks: true,
    weighted: true,
    score: (entries) =>
      sum32(entries.map(({ rank, weight }) => f32(reciprocal(rankConstant + rank) * f32(weight)))),
  })
}

const schema = z.strictObject({ rankConstant: z.int().min(1).max(10_000).default(60) }).prefault({})

/** 1 / n, rounded half up to ten decimals. Computed with integers, because a double would be rounded before that. */
function reciprocal(n: number): number {
  const halves = 2e10 + n
  return f32((halves - (halves % (2 * n))) / (2 * n) / 1e10)
}
