import { z } from 'zod'
import { parseConfig } from '../src/config.ts'
import type { Fusion, Qrels, Run } from '../src/types.ts'
import { createFusion } from './common/create-fusion.ts'
import { placeProbabilities } from './common/hit-lists.ts'
import { sum } from './common/sum.ts'

/**
 * PosFuse: Σ p(rank), with the probability that a list's document at that rank is relevant, estimated on judged queries. A
 * list that does not have a document gives it nothing, nor does a rank that was never seen.
 *
 * Lillis, Zhang, Toolan, Collier, Leonard and Dunnion, [Estimating probabilities for effective data
 * fusion](https://doi.org/10.1145/1835449.1835508), SIGIR 2010.
 *
 * @param options.probabilities for each list, from rank 1 on; from `fitPosfuse`
 * @throws QuerentError `bad-config` without them
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

/** For each run and rank: of the judged queries with so many hits, how many have a relevant one there. */
export function fitPosfuse(runs: readonly Run[], qrels: Qrels): PosfuseOptions {
  return { probabilities: runs.map((run) => placeProbabilities(run, qrels)) }
}
