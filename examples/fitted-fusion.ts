/** A fusion method that is fitted on judged queries before it merges the runs of other queries. */
import type { Hit, Qrels, Run } from 'querent'
import { fuseRuns } from 'querent/fusion/fuse-runs'
import { fitMapfuse, mapfuse } from 'querent/fusion/mapfuse'

export function fuseFitted(
  trainingRuns: readonly Run[],
  trainingQrels: Qrels,
  runs: readonly Run[],
): ReadonlyMap<string, readonly Hit[]> {
  const fusion = mapfuse(fitMapfuse(trainingRuns, trainingQrels))
  const fused = fuseRuns(fusion, runs)
  return fused
}
