import { z } from 'zod'
import { parseConfig } from '../src/config.ts'
import type { Fusion, Qrels, Run } from '../src/types.ts'
import { additive } from './common/create-fusion.ts'
import { hitLists, mean } from './common/hit-lists.ts'

/**
 * MAPFuse: Σ MAP / rank, with each list's mean average precision (MAP) on judged queries. A list without the document
 * contributes nothing.
 *
 * Lillis, Zhang, Toolan, Collier, Leonard and Dunnion, [Estimating probabilities for effective data
 * fusion](https://doi.org/10.1145/1835449.1835508), SIGIR 2010.
 *
 * @param options.maps one per list, made by `fitMapfuse`
 * @throws QuerentError `bad-config` if they are missing
 */
export function mapfuse(options: MapfuseOptions): Fusion {
  const { maps } = parseConfig(schema, options, 'mapfuse')
  return additive({
    name: 'mapfuse',
    ranks: true,
    lists: maps.length,
    weights: maps,
    term: ({ rank, weight }) => weight / rank,
  })
}

export interface MapfuseOptions {
  readonly maps: readonly number[]
}

const schema = z.strictObject({ maps: z.array(z.number().min(0)).min(1) })

/** Estimates the mean average precision of each run. */
export function fitMapfuse(runs: readonly Run[], qrels: Qrels): MapfuseOptions {
  return {
    maps: runs.map((run) =>
      mean(hitLists(run, qrels).map(({ relevant, hits }) => averagePrecision(hits, relevant))),
    ),
  }
}

/** Σ precision at each relevant hit, divided by the number of relevant documents. 0 if there are none. */
function averagePrecision(hits: readonly number[], relevant: number): number {
  let found = 0
  let total = 0
  for (const [place, hit] of hits.entries()) {
    found += hit
    total += (hit * found) / (place + 1)
  }
  return relevant === 0 ? 0 : total / relevant
}
