import { z } from 'zod'
import { parseConfig } from '../src/config.ts'
import type { Fusion } from '../src/types.ts'
import { createFusion } from './common/create-fusion.ts'
import { f32, sum32 } from './common/float32.ts'
import type { Norm } from './common/normalize.ts'
import { rangeOf } from './common/range.ts'

/**
 * Elasticsearch's `linear` retriever: Σ w · norm(s) in 32-bit floats, added in the order of the lists. A list without the
 * document contributes nothing.
 *
 * `minmax` is (s − min) / (max − min), or 1 if max − min is below 1e-6. `l2_norm` is s / √Σ s², or s if the root is below
 * 1e-6. `none` is s. [LinearRetrieverBuilder and its normalizers](https://github.com/elastic/elasticsearch/tree/main/x-pack/plugin/rank-rrf/src/main/java/org/elasticsearch/xpack/rank/linear).
 *
 * @param options.normalizer default: `none`, as in Elasticsearch
 * @param options.minScore hits with a lower score are dropped; 0 or more. Default: all hits are kept
 * @throws QuerentError `bad-config` for other values
 */
export function elasticsearchLinear(options?: ElasticsearchLinearOptions): Fusion {
  const { normalizer, minScore } = parseConfig(schema, options, 'elasticsearch-linear')
  const fusion = createFusion({
    name: 'elasticsearch-linear',
    weighted: true,
    norm: normalizers[normalizer],
    score: (entries) => sum32(entries.map(({ score, weight }) => f32(f32(weight) * f32(score)))),
  })
  return {
    ...fusion,
    fuse: (lists, fuseOptions) => fusion.fuse(lists, fuseOptions).filter(({ score }) => score >= minScore),
  }
}

export interface ElasticsearchLinearOptions {
  readonly normalizer?: keyof typeof normalizers
  readonly minScore?: number
}

const negligible = f32(1e-6)

const normalizers = {
  none: (scores) => scores.map(f32),
  minmax: (scores) => {
    const floats = scores.map(f32)
    const [min, max] = rangeOf(floats)
    return floats.map((score) => (f32(max - min) < negligible ? 1 : f32(f32(score - min) / f32(max - min))))
  },
  l2_norm: (scores) => {
    const floats = scores.map(f32)
    const length = Math.sqrt(floats.reduce((total, score) => total + f32(score * score), 0))
    return length < negligible ? floats : floats.map((score) => f32(score / length))
  },
} as const satisfies Record<string, Norm>

const schema = z
  .strictObject({
    normalizer: z.enum(['none', 'minmax', 'l2_norm']).default('none'),
    minScore: z.number().min(0).default(Number.NEGATIVE_INFINITY),
  })
  .prefault({})
