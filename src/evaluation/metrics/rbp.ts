import { type Grades, gainOf, type MetricOptions, type Ranking } from './judgments.ts'

/**
 * Rank-biased precision (Moffat and Zobel, ACM TOIS 27(1), 2008): `(1 − p) Σ g(i) · p^(i − 1)`. It models a reader who
 * continues from one hit to the next with probability `p`, 0 ≤ p < 1.
 *
 * g(i) is the grade, as in ranx 0.3.20: with grades above 1 the value may exceed 1. With grades of 0 and 1 the definition is
 * the paper's. Ungraded and negatively graded documents have gain 0.
 */
export function rbp(
  ranking: Ranking,
  grades: Grades,
  { p, level = 1 }: Pick<MetricOptions, 'level'> & { readonly p: number },
): number {
  let weight = 1 - p
  let sum = 0
  for (const { docid } of ranking) {
    sum += gainOf(docid, grades, level) * weight
    weight *= p
  }
  return sum
}
