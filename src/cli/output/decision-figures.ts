import type { EvaluationSummary } from '../../evaluation/summary.ts'

/**
 * What an evaluation searched, in figures: the share of queries that were left alone, the share of those with one request to each
 * retriever, and the mean number of sub-queries, including the original query.
 */
export function decisionFigures({
  queries,
  leftAlone,
  oneRequest,
  subQueries,
}: EvaluationSummary): readonly (readonly [name: string, figure: string])[] {
  return [
    ['left alone', percent(leftAlone / queries)],
    ['one request', percent(oneRequest / queries)],
    ['sub-queries per query', (subQueries / queries).toFixed(2)],
  ]
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`
