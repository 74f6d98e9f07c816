import { countRelevant, countRelevantHits, type Measure } from './judgments.ts'

/**
 * R-precision: precision at R, the number of relevant documents of the query. `k` is ignored. Range 0 to 1; 0 if no document
 * is relevant.
 *
 * Equal to trec_eval's `Rprec`. Ungraded and negatively graded documents are not relevant.
 */
export const rPrecision: Measure = (ranking, grades, { level = 1 } = {}) => {
  const relevant = countRelevant(grades, level)
  return relevant > 0 ? countRelevantHits(ranking, grades, relevant, level) / relevant : 0
}
