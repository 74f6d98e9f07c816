import { z } from 'zod'
import { parseConfig } from '../src/config.ts'
import type { Fusion } from '../src/types.ts'
import { createFusion, type Method } from './common/create-fusion.ts'
import { f32 } from './common/float32.ts'
import {
  boundModes,
  type LowerBound,
  l2,
  minMax,
  type UpperBound,
  zScore,
} from './common/opensearch-norms.ts'

/**
 * OpenSearch's normalization processor: a normalization and a weighted mean in 32-bit floats, added in the order of the
 * lists. In the arithmetic mean, a list without the document counts as 0, so an empty list lowers all scores. The geometric
 * and the harmonic mean skip such lists, and scores that are not positive.
 *
 * [neural-search](https://github.com/opensearch-project/neural-search/tree/main/src/main/java/org/opensearch/neuralsearch/processor),
 * [documentation](https://docs.opensearch.org/latest/search-plugins/search-pipelines/normalization-processor/).
 *
 * @param options.normalization default: `min_max`
 * @param options.combination default: `arithmetic_mean`
 * @param options.lowerBounds for `min_max`, one per list. Default: none
 * @param options.upperBounds for `min_max`, one per list. Default: none
 * @throws QuerentError `bad-config` for other values
 */
export function opensearch(options?: OpensearchOptions): Fusion {
  const { normalization, combination, lowerBounds, upperBounds } = parseConfig(schema, options, 'opensearch')
  const bounded = lowerBounds ?? upperBounds
  return createFusion({
    name: 'opensearch',
    weighted: true,
    ...(bounded !== undefined && { lists: bounded.length }),
    norm: { min_max: minMax(lowerBounds, upperBounds), l2, z_score: zScore }[normalization],
    score: means[combination],
  })
}

export interface OpensearchOptions {
  readonly normalization?: 'min_max' | 'l2' | 'z_score'
  readonly combination?: keyof typeof means
  readonly lowerBounds?: readonly Partial<LowerBound>[]
  readonly upperBounds?: readonly Partial<UpperBound>[]
}

const means = {
  /** Σ w · s / Σ w over all lists. */
  arithmetic_mean: (entries, { lists }, weights) => {
    const scores = new Map(entries.map(({ list, score }) => [list, score]))
    let total = 0
    let weight = 0
    for (const list of lists.keys()) {
      const score = scores.get(list) ?? 0
      if (score < 0) continue
      total = f32(total + f32(f32(score) * f32(weights[list]!)))
      weight = f32(weight + f32(weights[list]!))
    }
    return weight === 0 ? 0 : f32(total / weight)
  },
  /** exp(Σ w · ln s / Σ w). */
  geometric_mean: (entries) => {
    let total = 0
    let sumOfWeights = 0
    for (const { score, weight } of entries) {
      if (score <= 0) continue
      total = f32(total + f32(weight) * Math.log(score))
      sumOfWeights = f32(sumOfWeights + f32(weight))
    }
    return sumOfWeights === 0 ? 0 : f32(Math.exp(f32(total / sumOfWeights)))
  },
  /** Σ w / Σ (w / s). */
  harmonic_mean: (entries) => {
    let total = 0
    let sumOfWeights = 0
    for (const { score, weight } of entries) {
      if (score <= 0) continue
      total = f32(total + f32(f32(weight) / f32(score)))
      sumOfWeights = f32(sumOfWeights + f32(weight))
    }
    return total > 0 ? f32(sumOfWeights / total) : 0
  },
} as const satisfies Record<string, Method['score']>

const bound = { mode: z.enum(boundModes).default('apply') }

const schema = z
  .strictObject({
    normalization: z.enum(['min_max', 'l2', 'z_score']).default('min_max'),
    combination: z.enum(['arithmetic_mean', 'geometric_mean', 'harmonic_mean']).default('arithmetic_mean'),
    lowerBounds: z.array(z.strictObject({ ...bound, minScore: z.number().default(0) })).optional(),
    upperBounds: z.array(z.strictObject({ ...bound, maxScore: z.number().default(1) })).optional(),
  })
  .refine(
    ({ normalization, lowerBounds, upperBounds }) =>
      normalization === 'min_max' || (lowerBounds === undefined && upperBounds === undefined),
    'only min_max has bounds',
  )
  .refine(
    ({ lowerBounds, upperBounds }) =>
      (lowerBounds ?? upperBounds)?.length === (upperBounds ?? lowerBounds)?.length,
    'there must be as many lower bounds as upper bounds',
  )
  .prefault({})
