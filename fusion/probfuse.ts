import { z } from 'zod'
import { parseConfig } from '../src/config.ts'
import type { Fusion, Qrels, Run } from '../src/types.ts'
import { createFusion } from './common/create-fusion.ts'
import { hitLists, mean } from './common/hit-lists.ts'
import { sum } from './common/sum.ts'

/**
 * ProbFuse: Σ p(segment) / segment. Each list is divided into x segments of equal length, numbered from 1, and p(segment) is
 * the probability that a document of the segment is relevant, estimated on judged queries. A list without the document
 * contributes nothing.
 *
 * Lillis, Toolan, Collier and Dunnion, [ProbFuse: a probabilistic approach to data
 * fusion](https://doi.org/10.1145/1148170.1148197), SIGIR 2006.
 *
 * @param options.probabilities of each list, from segment 1 to x; made by `fitProbfuse`
 * @throws QuerentError `bad-config` if they are missing
 */
export function probfuse(options: ProbfuseOptions): Fusion {
  const { probabilities } = parseConfig(schema, options, 'probfuse')
  return createFusion({
    name: 'probfuse',
    ranks: true,
    lists: probabilities.length,
    score: (entries, { lists }) =>
      sum(
        entries.map(({ list, rank }) => {
          const segments = probabilities[list]!
          const segment = Math.floor((rank - 1) / segmentSize(lists[list]!.hits.length, segments.length))
          return segments[segment]! / (segment + 1)
        }),
      ),
  })
}

export interface ProbfuseOptions {
  readonly probabilities: readonly (readonly number[])[]
}

const schema = z.strictObject({ probabilities: z.array(z.array(z.number().min(0)).min(1)).min(1) })

/**
 * Estimates for each run and segment: the fraction of its documents that are relevant, averaged over the judged queries.
 *
 * @param segments segments per list. Default: 25
 */
export function fitProbfuse(runs: readonly Run[], qrels: Qrels, segments = 25): ProbfuseOptions {
  return {
    probabilities: runs.map((run) => {
      const lists = hitLists(run, qrels)
      return Array.from({ length: segments }, (_, segment) =>
        mean(
          lists.map(({ hits }) => {
            const size = segmentSize(hits.length, segments)
            const part = hits.slice(segment * size, (segment + 1) * size)
            return part.length === 0 ? 0 : mean(part)
          }),
        ),
      )
    }),
  }
}

const segmentSize = (length: number, segments: number): number => Math.ceil(length / segments)
