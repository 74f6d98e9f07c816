import type { EvaluationSummary } from '../../evaluation/summary.ts'

/**
 * The decisions of an evaluation in figures: the share of queries that were left alone (without those that fell back),
 * the share of second stages that were skipped, and the mean number of sub-queries, including the original query.
 */
export function decisionFigures({
  queries,
  decisions,
  subQueries,
  failures,
}: EvaluationSummary): readonly (readonly [name: string, figure: string])[] {
  return [
    ['left alone', percent((decisions['as-is'] - failures) / queries)],
    ['second stages skipped', percent(1 - decisions.secondStage / queries)],
    ['sub-queries per query', (subQueries / queries).toFixed(2)],
  ]
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`
