import { z } from 'zod'
import { parseConfig } from '../src/config.ts'
import type { Fusion } from '../src/types.ts'
import { createFusion } from './common/create-fusion.ts'
import { sum } from './common/sum.ts'
import type { PosfuseOptions } from './posfuse.ts'

/**
 * SlideFuse: PosFuse with the mean of p over a window of ranks around the document's rank, cut at the ends of the list. A
 * list without the document contributes nothing, and ranks beyond the estimates count as 0.
 *
 * Lillis, Toolan, Collier and Dunnion, [Extending probabilistic data fusion using sliding
 * windows](https://doi.org/10.1007/978-3-540-78646-7_33), ECIR 2008.
 *
 * @param options.probabilities of each list, from rank 1; made by `fitPosfuse`
 * @param options.window ranks on either side. Default: 5
 * @throws QuerentError `bad-config` if the probabilities are missing
 */
export function slidefuse(options: SlidefuseOptions): Fusion {
  const { probabilities, window } = parseConfig(schema, options, 'slidefuse')
  return createFusion({
    name: 'slidefuse',
    ranks: true,
    lists: probabilities.length,
    score: (entries, { lists }) =>
      sum(
        entries.map(({ list, rank }) => {
          const start = Math.max(rank - 1 - window, 0)
          const end = Math.min(rank + window, lists[list]!.hits.length)
          return sum(probabilities[list]!.slice(start, end)) / (end - start)
        }),
      ),
  })
}

export interface SlidefuseOptions extends PosfuseOptions {
  readonly window?: number
}

const schema = z.strictObject({
  probabilities: z.array(z.array(z.number().min(0))).min(1),
  window: z.int().min(0).default(5),
})
