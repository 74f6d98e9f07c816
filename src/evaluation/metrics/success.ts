import { countRelevantHits, type Measure } from './judgments.ts'

/**
 * Success: 1 if a relevant document is among the first `k` hits, else 0. ranx calls it `hit_rate`.
 *
 * Equal to trec_eval's `success`. Ungraded and negatively graded documents are not relevant.
 */
export const success: Measure = (ranking, grades, { k = Infinity, level = 1 } = {}) =>
  countRelevantHits(ranking, grades, k, level) > 0 ? 1 : 0
