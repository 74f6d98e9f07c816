import { isRelevant, type Measure } from './judgments.ts'

/**
 * Reciprocal rank: 1 / the rank of the first relevant hit, or 0 if none is among the first `k`. Range 0 to 1. Its mean over
 * queries is MRR.
 *
 * Equal to trec_eval's `recip_rank`. Ungraded and negatively graded documents are not relevant.
 */
export const reciprocalRank: Measure = (ranking, grades, { k = Infinity, level = 1 } = {}) => {
  const depth = Math.min(k, ranking.length)
  for (let index = 0; index < depth; index++) {
    if (isRelevant(ranking[index]!.docid, grades, level)) return 1 / (index + 1)
  }
  return 0
}
