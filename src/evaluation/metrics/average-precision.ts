import { countRelevant, isRelevant, type Measure } from './judgments.ts'

/**
 * Average precision: the sum of the precision at the rank of each relevant hit, divided by R, the number of all relevant
 * documents (not by min(R, k)). Range 0 to 1; 0 if R is 0. Its mean over queries is MAP.
 *
 * Equal to trec_eval's `map` and `map_cut`. Ungraded and negatively graded documents are not relevant.
 */
export const averagePrecision: Measure = (ranking, grades, { k = Infinity, level = 1 } = {}) => {
  const relevant = countRelevant(grades, level)
  if (relevant === 0) return 0
  const depth = Math.min(k, ranking.length)
  let found = 0
  let sum = 0
  for (let index = 0; index < depth; index++) {
    if (isRelevant(ranking[index]!.docid, grades, level)) sum += ++found / (index + 1)
  }
  return sum / relevant
}
