import { countRelevantHits, type Measure } from './judgments.ts'

/**
 * Precision: the number of relevant documents among the first `k` hits, divided by `k` even if the ranking is shorter.
 * Without `k`, divided by the number of hits. Range 0 to 1; 0 for an empty ranking.
 *
 * Equal to trec_eval's `P` and `set_P`. Ungraded and negatively graded documents are not relevant.
 */
export const precision: Measure = (ranking, grades, { k = ranking.length, level = 1 } = {}) =>
  k > 0 ? countRelevantHits(ranking, grades, k, level) / k : 0
