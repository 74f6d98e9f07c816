import { z } from 'zod'
import { parseConfig } from '../src/config.ts'
import type { Fusion, Qrels, Run } from '../src/types.ts'
import { createFusion } from './common/create-fusion.ts'
import { placeProbabilities } from './common/hit-lists.ts'
import { sum } from './common/sum.ts'

/**
 * PosFuse: Σ p(rank), where p(rank) is the probability that a list's document at that rank is relevant, estimated on judged
 * queries. A list without the document, or with a rank beyond the estimates, contributes nothing.
 *
 * Lillis, Zhang, Toolan, Collier, Leonard and Dunnion, [Estimating probabilities for effective data
 * fusion](https://doi.org/10.1145/1835449.1835508), SIGIR 2010.
 *
 * @param options.probabilities of each list, from rank 1; made by `fitPosfuse`
 * @throws QuerentError `bad-config` if they are missing
 */
export function posfuse(options: PosfuseOptions): Fusion {
  const { probabilities } = parseConfig(schema, options, 'posfuse')
  return createFusion({
    name: 'posfuse',
    ranks: true,
    lists: probabilities.length,
    score: (entries) => sum(entries.map(({ list, rank }) => probabilities[list]![rank - 1] ?? 0)),
  })
}

export interface PosfuseOptions {
  readonly probabilities: readonly (readonly number[])[]
}

const schema = z.strictObject({ probabilities: z.array(z.array(z.number().min(0))).min(1) })

/** Estimates for each run and rank: the fraction of judged queries with a relevant hit there, of those with a hit there. */
export function fitPosfuse(runs: readonly Run[], qrels: Qrels): PosfuseOptions {
  return { probabilities: runs.map((run) => placeProbabilities(run, qrels)) }
}
