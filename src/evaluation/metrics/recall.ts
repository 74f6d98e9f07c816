import { countRelevant, countRelevantHits, type Measure } from './judgments.ts'

/**
 * Recall: the fraction of the relevant documents that are among the first `k` hits. Range 0 to 1; 0 if no document is
 * relevant.
 *
 * Equal to trec_eval's `recall` and `set_recall`. Ungraded and negatively graded documents are not relevant.
 */
export const recall: Measure = (ranking, grades, { k = Infinity, level = 1 } = {}) => {
  const relevant = countRelevant(grades, level)
  return relevant > 0 ? countRelevantHits(ranking, grades, k, level) / relevant : 0
}
