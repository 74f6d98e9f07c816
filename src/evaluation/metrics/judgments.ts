/**
 * The input of all metrics: a ranking, and the grades of one query.
 *
 * In all metrics, a document without a grade is not relevant, and neither is one with a grade below `level` or a negative
 * grade. Hits are not sorted again. Each docid must occur at most once, as trec_eval demands.
 */

/** The hits of one query, best first. */
export type Ranking = readonly { readonly docid: string }[]

/** docid → grade, for one query. */
export type Grades = ReadonlyMap<string, number>

export interface MetricOptions {
  /** The cut-off: only the first `k` hits count. Default: all hits. */
  readonly k?: number
  /** The lowest grade that counts as relevant (trec_eval's `-l`). Default: 1. */
  readonly level?: number
}

/** The value for the hits of one query. */
export type Measure = (ranking: Ranking, grades: Grades, options?: MetricOptions) => number

/** The grade of a docid if it is at least `level`, else 0. */
export function gainOf(docid: string, grades: Grades, level: number): number {
  const grade = grades.get(docid) ?? 0
  return grade >= level ? grade : 0
}

export function isRelevant(docid: string, grades: Grades, level: number): boolean {
  return gainOf(docid, grades, level) > 0
}

/** R: the number of relevant documents of the query, retrieved or not. */
export function countRelevant(grades: Grades, level: number): number {
  let relevant = 0
  for (const grade of grades.values()) if (grade >= level) relevant++
  return relevant
}

/** Number of relevant documents among the first `k` hits. */
export function countRelevantHits(ranking: Ranking, grades: Grades, k: number, level: number): number {
  const depth = Math.min(k, ranking.length)
  let relevant = 0
  for (let index = 0; index < depth; index++) {
    if (isRelevant(ranking[index]!.docid, grades, level)) relevant++
  }
  return relevant
}
