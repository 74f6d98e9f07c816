import { z } from 'zod'
import { parseConfig } from '../src/config.ts'
import type { Fusion } from '../src/types.ts'
import { additive } from './common/create-fusion.ts'

/**
 * Reciprocal rank fusion: Σ w / (k + rank). A list that does not have a document gives it nothing.
 *
 * Cormack, Clarke and Büttcher, [Reciprocal rank fusion outperforms Condorcet and individual rank learning
 * methods](https://doi.org/10.1145/1571941.1572114), SIGIR 2009. The weights are later practice; without them they are 1.
 *
 * @param options.k from 0; the larger, the less the first ranks stand out. Default: 60, the paper's
 * @throws QuerentError `bad-config` for another k
 */
export function rrf(options?: { readonly k?: number }): Fusion {
  const { k } = parseConfig(schema, options, 'rrf')
  return additive({
    name: 'rrf',
    ranks: true,
    weighted: true,
    term: ({ rank, weight }) => weight / (k + rank),
  })
}

const schema = z.strictObject({ k: z.number().min(0).default(60) }).prefault({})
