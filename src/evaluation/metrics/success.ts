import { countRelevantHits, type Grades, type MetricOptions, type Ranking } from './judgments.ts'

/**
 * Success: 1 if a relevant document is among the first `k` hits, else 0. ranx calls it `hit_rate`.
 *
 * Equal to trec_eval's `success`. Ungraded and negatively graded documents are not relevant.
 */
export function success(
  ranking: Ranking,
  grades: Grades,
  { k = Infinity, level = 1 }: MetricOptions = {},
): number {
  return countRelevantHits(ranking, grades, k, level) > 0 ? 1 : 0
}
