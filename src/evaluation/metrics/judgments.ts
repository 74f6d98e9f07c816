/**
 * What all metrics look at: a ranking, and the grades of one query.
 *
 * Everywhere: a document without a grade counts as not relevant, and so does one with a grade below `level`, a negative
 * one included. Hits are taken in the order given, and each docid is expected once, as trec_eval demands.
 */

/** The hits of one query, best first. */
export type Ranking = readonly { readonly docid: string }[]

/** docid → grade, of one query. */
export type Grades = ReadonlyMap<string, number>

export interface MetricOptions {
  /** How many hits from the top are looked at. Default: all of them. */
  readonly k?: number
  /** The lowest grade that counts as relevant (trec_eval's `-l`). Default: 1. */
  readonly level?: number
}

/** The grade of a docid, where it is at least `level`, else 0. */
export function gainOf(docid: string, grades: Grades, level: number): number {
  const grade = grades.get(docid) ?? 0
  return grade >= level ? grade : 0
}

/** Whether a docid is relevant. */
export function isRelevant(docid: string, grades: Grades, level: number): boolean {
  return gainOf(docid, grades, level) > 0
}

/** R: how many documents of the query are relevant, retrieved or not. */
export function countRelevant(grades: Grades, level: number): number {
  let relevant = 0
  for (const grade of grades.values()) if (grade >= level) relevant++
  return relevant
}

/** How many of the first `k` hits are relevant. */
export function countRelevantHits(ranking: Ranking, grades: Grades, k: number, level: number): number {
  const depth = Math.min(k, ranking.length)
  let relevant = 0
  for (let index = 0; index < depth; index++) {
    if (isRelevant(ranking[index]!.docid, grades, level)) relevant++
  }
  return relevant
}
