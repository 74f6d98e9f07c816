import { z } from 'zod'
import { parseConfig } from '../src/config.ts'
import type { Fusion } from '../src/types.ts'
import { createFusion } from './common/create-fusion.ts'
import { sum } from './common/sum.ts'

/**
 * CombGMNZ: h^γ · Σ s over the h lists that have the document.
 *
 * Lee, [Analyses of multiple evidence combination](https://doi.org/10.1145/258525.258587), SIGIR 1997.
 *
 * @param options.gamma 0 is CombSUM and 1 is CombMNZ. Default: 0.5, Querent's choice, between the two
 * @throws QuerentError `bad-config` for a gamma that is not finite
 */
export function combGmnz(options?: { readonly gamma?: number }): Fusion {
  const { gamma } = parseConfig(schema, options, 'comb-gmnz')
  return createFusion({
    name: 'comb-gmnz',
    score: (entries) => entries.length ** gamma * sum(entries.map(({ score }) => score)),
  })
}

const schema = z.strictObject({ gamma: z.number().default(0.5) }).prefault({})
