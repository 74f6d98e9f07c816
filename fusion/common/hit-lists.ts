/** Judged runs for the probabilistic methods: at which places of a list the document is relevant. */
import { QuerentError } from '../../src/errors.ts'
import type { Qrels, Run } from '../../src/types.ts'
import { rangeOf } from './range.ts'

export interface HitList {
  /** For each place of the list, 1 if its document is relevant (grade 1 or more), else 0. */
  readonly hits: readonly number[]
  /** How many documents are relevant. */
  readonly relevant: number
}

/**
 * Makes one hit list for each judged query. It is empty if the query is missing from the run.
 *
 * @throws QuerentError `bad-config` when no query is judged
 */
export function hitLists(run: Run, qrels: Qrels): HitList[] {
  if (qrels.size === 0)
    throw new QuerentError('bad-config', 'A fusion cannot be trained without judged queries')
  return Array.from(qrels, ([qid, grades]) => ({
    hits: (run.get(qid) ?? []).map(({ docid }) => ((grades.get(docid) ?? 0) >= 1 ? 1 : 0)),
    relevant: [...grades.values()].filter((grade) => grade >= 1).length,
  }))
}

/** The probability of relevance at each place: the fraction of relevant documents there, over the lists that reach it. */
export function placeProbabilities(run: Run, qrels: Qrels): number[] {
  const lists = hitLists(run, qrels)
  const [, longest] = rangeOf(lists.map(({ hits }) => hits.length))
  return Array.from({ length: longest }, (_, place) =>
    mean(lists.filter(({ hits }) => hits.length > place).map(({ hits }) => hits[place]!)),
  )
}

export const mean = (values: readonly number[]): number =>
  values.reduce((total, value) => total + value, 0) / values.length
