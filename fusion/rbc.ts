import { z } from 'zod'
import { parseConfig } from '../src/config.ts'
import type { Fusion } from '../src/types.ts'
import { additive } from './common/create-fusion.ts'

/**
 * Rank-biased centroid: Σ (1 − φ) · φ^(rank − 1) over the lists that have the document.
 *
 * Bailey, Moffat, Scholer and Thomas, [Retrieval consistency in the presence of query
 * variations](https://doi.org/10.1145/3077136.3080839), SIGIR 2017.
 *
 * @param options.phi persistence, the probability that a reader continues to the next hit; 0 or more, below 1. Default: 0.8
 * @throws QuerentError `bad-config` for other values
 */
export function rbc(options?: { readonly phi?: number }): Fusion {
  const { phi } = parseConfig(schema, options, 'rbc')
  return additive({ name: 'rbc', ranks: true, term: ({ rank }) => (1 - phi) * phi ** (rank - 1) })
}

const schema = z.strictObject({ phi: z.number().min(0).lt(1).default(0.8) }).prefault({})
