import { countRelevantHits, type Measure } from './judgments.ts'

/**
 * Number of relevant documents among the first `k` hits, as in ranx. Ungraded and negatively graded documents are not
 * relevant.
 */
export const hits: Measure = (ranking, grades, { k = Infinity, level = 1 } = {}) =>
  countRelevantHits(ranking, grades, k, level)
