import { z } from 'zod'
import { parseConfig } from '../src/config.ts'
import type { Fusion } from '../src/types.ts'
import { createFusion } from './common/create-fusion.ts'
import { f32, sum32 } from './common/float32.ts'

/**
 * Elasticsearch's `rrf` retriever: Σ w / (c + rank) in 32-bit floats, added in the order of the lists. Its
 * `rank_window_size` is `depth`. A list without the document contributes nothing. Ties are broken by docid, whereas
 * Elasticsearch uses Lucene's document number.
 *
 * [RRFRetrieverBuilder](https://github.com/elastic/elasticsearch/blob/main/x-pack/plugin/rank-rrf/src/main/java/org/elasticsearch/xpack/rank/rrf/RRFRetrieverBuilder.java),
 * [documentation](https://www.elastic.co/docs/reference/elasticsearch/rest-apis/reciprocal-rank-fusion).
 *
 * @param options.rankConstant c, a whole number, 1 or more. Default: 60
 * @throws QuerentError `bad-config` for other values
 */
export function elasticsearchRrf(options?: { readonly rankConstant?: number }): Fusion {
  const { rankConstant } = parseConfig(schema, options, 'elasticsearch-rrf')
  return createFusion({
    name: 'elasticsearch-rrf',
    ranks: true,
    weighted: true,
    score: (entries) =>
      sum32(entries.map(({ rank, weight }) => f32(f32(weight) * f32(1 / (rankConstant + rank))))),
  })
}

const schema = z.strictObject({ rankConstant: z.int().min(1).default(60) }).prefault({})
