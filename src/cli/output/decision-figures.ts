import type { EvaluationSummary } from '../../evaluation/summary.ts'

/**
 * What the decisions of an evaluation come to: the share of queries that were left alone (those that fell back are not), the
 * share of second stages that were saved, and the mean number of sub-queries, the query as it is among them.
 */
export function decisionFigures({
  queries,
  decisions,
  subQueries,
  failures,
}: EvaluationSummary): readonly (readonly [name: string, figure: string])[] {
  return [
    ['left alone', percent((decisions['as-is'] - failures) / queries)],
    ['second stages saved', percent(1 - decisions.secondStage / queries)],
    ['sub-queries a query', (subQueries / queries).toFixed(2)],
  ]
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`
