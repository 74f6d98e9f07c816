import type { Grades, MetricOptions, Ranking } from './judgments.ts'

/**
 * Judged: how many of the first `k` hits have a grade, whatever it is, divided by how many hits there are to look at: `k`,
 * or fewer where fewer came back. From 0 to 1; 0 for an empty ranking. `level` plays no part.
 *
 * As ir_measures' `Judged@k`. A negative grade is a judgment here.
 */
export function judged(ranking: Ranking, grades: Grades, { k = Infinity }: MetricOptions = {}): number {
  const depth = Math.min(k, ranking.length)
  let found = 0
  for (let index = 0; index < depth; index++) if (grades.has(ranking[index]!.docid)) found++
  return depth > 0 ? found / depth : 0
}
