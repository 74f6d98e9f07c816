import { z } from 'zod'
import { parseConfig } from '../src/config.ts'
import type { Fusion, Qrels, Run } from '../src/types.ts'
import { createFusion } from './common/create-fusion.ts'
import { hitLists, mean } from './common/hit-lists.ts'
import { sum } from './common/sum.ts'

/**
 * SegFuse: Σ p(segment) · (1 + s). The segments of a list grow: they end at ranks 5, 15, 35, 75 and so on, 10 · 2^(i−1) − 5
 * the i-th of ten, and p is the probability that a document of the segment is relevant, estimated on judged queries. Scores
 * are meant to be normalised (`norm: 'min-max'`). A list that does not have a document gives it nothing, nor does a rank
 * behind the last segment.
 *
 * Shokouhi, [Segmentation of search engine results for effective data-fusion](https://doi.org/10.1007/978-3-540-71496-5_19),
 * ECIR 2007.
 *
 * @param options.probabilities for each list, from segment 1 on; from `fitSegfuse`
 * @throws QuerentError `bad-config` without them
 */
export function segfuse(options: SegfuseOptions): Fusion {
  const { probabilities } = parseConfig(schema, options, 'segfuse')
  return createFusion({
    name: 'segfuse',
    ranks: true,
    lists: probabilities.length,
    score: (entries) =>
      sum(entries.map(({ list, rank, score }) => (probabilities[list]![segmentOf(rank)] ?? 0) * (1 + score))),
  })
}

export interface SegfuseOptions {
  readonly probabilities: readonly (readonly number[])[]
}

const schema = z.strictObject({ probabilities: z.array(z.array(z.number().min(0))).min(1) })

/** The last rank of each segment. */
const ends = Array.from({ length: 10 }, (_, segment) => 10 * 2 ** segment - 5)

const segmentOf = (rank: number): number => {
  const segment = ends.findIndex((end) => rank <= end)
  return segment === -1 ? ends.length : segment
}

/** For each run and segment: the mean over the judged queries of the relevant documents in it, over its length. */
export function fitSegfuse(runs: readonly Run[], qrels: Qrels): SegfuseOptions {
  return {
    probabilities: runs.map((run) => {
      const lists = hitLists(run, qrels)
      return ends.map((end, segment) => {
        const start = ends[segment - 1] ?? 0
        return mean(
          lists.map(
            ({ hits }) => hits.slice(start, end).reduce((found, hit) => found + hit, 0) / (end - start),
          ),
        )
      })
    }),
  }
}
