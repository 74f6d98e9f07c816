import { z } from 'zod'
import { parseConfig } from '../src/config.ts'
import type { Fusion, Qrels, Run } from '../src/types.ts'
import { createFusion } from './common/create-fusion.ts'
import { hitLists, mean } from './common/hit-lists.ts'
import { sum } from './common/sum.ts'

/**
 * BayesFuse: Σ ln odds(rank) over all lists, where odds(rank) are the odds that a list's document at that rank is relevant,
 * estimated on judged queries between cutoffs. A list without the document, or with a rank beyond the estimates, contributes
 * ln(0.001 / 0.999).
 *
 * Aslam and Montague, [Models for metasearch](https://doi.org/10.1145/383952.384007), SIGIR 2001.
 *
 * @param options.logOdds of each list, from rank 1; made by `fitBayesfuse`
 * @throws QuerentError `bad-config` if they are missing
 */
export function bayesfuse(options: BayesfuseOptions): Fusion {
  const { logOdds } = parseConfig(schema, options, 'bayesfuse')
  return createFusion({
    name: 'bayesfuse',
    ranks: true,
    lists: logOdds.length,
    score: (entries, { lists }) => {
      const present = entries.map(({ list, rank }) => logOdds[list]![rank - 1] ?? floor)
      return sum([...present, ...Array<number>(lists.length - entries.length).fill(floor)])
    },
  })
}

export interface BayesfuseOptions {
  readonly logOdds: readonly (readonly number[])[]
}

const schema = z.strictObject({ logOdds: z.array(z.array(z.number())).min(1) })

const floor = Math.log(0.001 / 0.999)
const cutoffs = [0, 5, 10, 15, 20, 30, 100, 200, 500, 1000]
/** Replaces a probability of 0, whose log odds are infinite. */
const minProbability = 0.001

/** Estimates for each run and rank up to 1000: the log odds of the mean precision between the two cutoffs around the rank. */
export function fitBayesfuse(runs: readonly Run[], qrels: Qrels): BayesfuseOptions {
  return {
    logOdds: runs.map((run) => {
      const lists = hitLists(run, qrels)
      return cutoffs.slice(1).flatMap((end, index) => {
        const start = cutoffs[index]!
        const precision = mean(
          lists.map(
            ({ hits }) => hits.slice(start, end).reduce((total, hit) => total + hit, 0) / (end - start),
          ),
        )
        const relevant = precision || minProbability
        return Array<number>(end - start).fill(Math.log(relevant / (1 - relevant || minProbability)))
      })
    }),
  }
}
