import { z } from 'zod'
import { parseConfig } from '../src/config.ts'
import type { Fusion, Qrels, Run } from '../src/types.ts'
import { createFusion } from './common/create-fusion.ts'
import { hitLists, mean } from './common/hit-lists.ts'
import { sum } from './common/sum.ts'

/**
 * SegFuse: Σ p(segment) · (1 + s). Segments grow: they end at ranks 5, 15, 35, 75 and so on, the i-th of ten at
 * 10 · 2^(i−1) − 5. p(segment) is the probability that a document of the segment is relevant, estimated on judged queries.
 * Scores should be normalized (`norm: 'min-max'`). A list without the document, or with a rank beyond the last segment,
 * contributes nothing.
 *
 * Shokouhi, [Segmentation of search engine results for effective data-fusion](https://doi.org/10.1007/978-3-540-71496-5_19),
 * ECIR 2007.
 *
 * @param options.probabilities of each list, from segment 1; made by `fitSegfuse`
 * @throws QuerentError `bad-config` if they are missing
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

/** Estimates for each run and segment: its relevant documents divided by its length, averaged over the judged queries. */
export function fitSegfuse(runs: readonly Run[], qrels: Qrels): SegfuseOptions {
  return {
    probabilities: runs.map((run) => {
      const lists = hitLists(run, qrels)
      return ends.map((end, segment) => {
        const start = ends[segment - 1] ?? 0
        return mean(
          lists.map(
            ({ hits }) => hits.slice(start, end).reduce((total, hit) => total + hit, 0) / (end - start),
          ),
        )
      })
    }),
  }
}
