/**
 * Discounted cumulative gain: the gain of each document is divided by the logarithm of its rank.
 *
 * `DCG@k = Σ gain(i) / log2(i + 1)` over the ranks i = 1 … k. `nDCG@k` divides it by the DCG@k of the ideal ranking, which
 * contains all graded documents of the query, retrieved or not.
 *
 * Gain: the grade itself (Järvelin and Kekäläinen, ACM TOIS 20(4), 2002), as in trec_eval's `ndcg` and `ndcg_cut`; or
 * 2^grade − 1 (Burges et al., ICML 2005), under the `…Burges` names. Ungraded and negatively graded documents have gain 0 in
 * the ranking and in the ideal. With a `level` above 1, lower grades have gain 0 too, as in ranx; trec_eval's nDCG has no
 * level. nDCG is 0 if no document has a gain.
 */
import { type Grades, gainOf, type Measure, type MetricOptions, type Ranking } from './judgments.ts'

type Gain = (grade: number) => number

const linear: Gain = (grade) => grade
const exponential: Gain = (grade) => 2 ** grade - 1

/** DCG with the grade as gain. At least 0, no upper bound. */
export const dcg: Measure = (ranking, grades, options = {}) => discounted(ranking, grades, linear, options)

/** DCG with 2^grade − 1 as gain. At least 0, no upper bound. */
export const dcgBurges: Measure = (ranking, grades, options = {}) =>
  discounted(ranking, grades, exponential, options)

/** nDCG with the grade as gain. Range 0 to 1. Equal to trec_eval's. */
export const ndcg: Measure = (ranking, grades, options = {}) => normalized(ranking, grades, linear, options)

/** nDCG with 2^grade − 1 as gain. Range 0 to 1. */
export const ndcgBurges: Measure = (ranking, grades, options = {}) =>
  normalized(ranking, grades, exponential, options)

function discounted(
  ranking: Ranking,
  grades: Grades,
  gain: Gain,
  { k = Infinity, level = 1 }: MetricOptions,
): number {
  const depth = Math.min(k, ranking.length)
  let sum = 0
  for (let index = 0; index < depth; index++) {
    const grade = gainOf(ranking[index]!.docid, grades, level)
    if (grade > 0) sum += gain(grade) / Math.log2(index + 2)
  }
  return sum
}

function normalized(ranking: Ranking, grades: Grades, gain: Gain, options: MetricOptions): number {
  const ideal = [...grades].sort(([, a], [, b]) => b - a).map(([docid]) => ({ docid }))
  const best = discounted(ideal, grades, gain, options)
  return best > 0 ? discounted(ranking, grades, gain, options) / best : 0
}
