import type { FuseOptions, Fusion, Hit, Run } from '../src/types.ts'

/**
 * Merges runs query by query, as lists of one retriever, so that their raw scores are compared. A query that is missing from
 * a run counts as an empty list.
 *
 * @param names names of the runs, for error messages. Default: their numbers, from 1
 */
export function fuseRuns(
  fusion: Fusion,
  runs: readonly Run[],
  options: FuseOptions = {},
  names: readonly string[] = runs.map((_, index) => String(index + 1)),
): Map<string, Hit[]> {
  const qids = new Set(runs.flatMap((run) => [...run.keys()]))
  return new Map(
    Array.from(qids, (qid) => {
      const lists = runs.map((run, index) => ({
        retriever: 'run',
        subQuery: { text: `${names[index]}, query ${qid}`, round: 1 },
        hits: run.get(qid) ?? [],
      }))
      return [qid, fusion.fuse(lists, options)]
    }),
  )
}
