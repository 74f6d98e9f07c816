import { countRelevantHits, type Grades, type MetricOptions, type Ranking } from './judgments.ts'

/**
 * Number of relevant documents among the first `k` hits, as in ranx. Ungraded and negatively graded documents are not
 * relevant.
 */
export function hits(
  ranking: Ranking,
  grades: Grades,
  { k = Infinity, level = 1 }: MetricOptions = {},
): number {
  return countRelevantHits(ranking, grades, k, level)
}
