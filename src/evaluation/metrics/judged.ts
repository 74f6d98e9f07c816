import type { Measure } from './judgments.ts'

/**
 * Judged: the fraction of the first `k` hits that have a grade, whatever it is. If the ranking is shorter than `k`, the
 * fraction of all hits. Range 0 to 1; 0 for an empty ranking. `level` is ignored.
 *
 * Equal to ir_measures' `Judged@k`. A negative grade is a judgment here.
 */
export const judged: Measure = (ranking, grades, { k = Infinity } = {}) => {
  const depth = Math.min(k, ranking.length)
  let found = 0
  for (let index = 0; index < depth; index++) if (grades.has(ranking[index]!.docid)) found++
  return depth > 0 ? found / depth : 0
}
