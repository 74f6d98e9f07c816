import { countRelevant, type Measure } from './judgments.ts'

/**
 * Binary preference (Buckley and Voorhees, SIGIR 2004): how far judged relevant documents rank above judged non-relevant
 * ones. `k` is ignored. Range 0 to 1; 0 if no document is relevant.
 *
 * `bpref = 1/R Σ_r (1 − min(n(r), R) / min(N, R))` over the relevant hits r. n(r) is the number of judged non-relevant hits
 * above r, N the number of all judged non-relevant documents of the query, retrieved or not. The fraction is 0 if n(r) is 0.
 *
 * Equal to trec_eval's `bpref`: ungraded documents are skipped. Negative grades are skipped too, since trec_eval reads them
 * as "in the pool, but not judged".
 */
export const bpref: Measure = (ranking, grades, { level = 1 } = {}) => {
  const relevant = countRelevant(grades, level)
  if (relevant === 0) return 0
  let nonRelevant = 0
  for (const grade of grades.values()) if (grade >= 0 && grade < level) nonRelevant++
  let above = 0
  let sum = 0
  for (const { docid } of ranking) {
    const grade = grades.get(docid)
    if (grade === undefined || grade < 0) continue
    if (grade < level) above++
    else sum += above === 0 ? 1 : 1 - Math.min(above, relevant) / Math.min(nonRelevant, relevant)
  }
  return sum / relevant
}
