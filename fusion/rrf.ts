import { z } from 'zod'
import { parseConfig } from '../src/config.ts'
import type { Fusion } from '../src/types.ts'
import { additive } from './common/create-fusion.ts'

/**
 * Reciprocal rank fusion: Σ w / (k + rank) over the lists that have the document.
 *
 * Cormack, Clarke and Büttcher, [Reciprocal rank fusion outperforms Condorcet and individual rank learning
 * methods](https://doi.org/10.1145/1571941.1572114), SIGIR 2009. Weights came later; they default to 1.
 *
 * @param options.k 0 or more; a larger k gives the first ranks less of an advantage. Default: 60, as in the paper
 * @throws QuerentError `bad-config` for other values
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
