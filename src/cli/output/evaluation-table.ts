import type { EvaluationSummary, StrategyFigures } from '../../evaluation/summary.ts'
import { decisionFigures } from './decision-figures.ts'
import { formatDuration } from './duration.ts'
import { type Cell, formatTable, type TableFormat } from './table-format.ts'
import { print, type Terminal } from './terminal.ts'

/** Says which queries the metrics of answers leave out. */
export function answerWarnings({ queries, answerable = 0 }: EvaluationSummary): string[] {
  if (answerable === queries) return []
  if (answerable === 0)
    return ['The queries have no accepted answers (metadata.answer): answers were not measured.']
  return [
    `${queries - answerable} of ${queries} queries have no accepted answer: metrics of answers leave them out.`,
  ]
}

/** Says how many hits were not re-ranked although they should have been. Without a failure it says nothing. */
export function rerankingWarning({ rerankings, failedRerankings }: EvaluationSummary): string | undefined {
  if (failedRerankings === 0) return undefined
  const figures = failedRerankings === rerankings ? " These are NOT the re-ranker's figures." : ''
  return `${failedRerankings} of ${rerankings} re-rankings failed, and the fused order was kept.${figures}`
}

/** A figure by its name. */
export type FigureRow = readonly [name: string, value: Cell]

/** What is known of a run alone. */
export const metricRows = ({
  queries,
  metrics,
}: Pick<EvaluationSummary, 'queries' | 'metrics'>): FigureRow[] => [
  ['queries', String(queries)],
  ...Object.entries(metrics).map(
    ([name, mean]): FigureRow => [name, { shown: mean.toFixed(4), exact: mean }],
  ),
]

/** How often a way was taken, what it cost, and what was found. */
function describeStrategy({ queries, asks, metrics }: StrategyFigures): string {
  const means = Object.entries(metrics).map(([name, mean]) => `${name} ${mean.toFixed(4)}`)
  return [`${queries} of the queries`, `${asks.toFixed(2)} prompts`, ...means].join(', ')
}

/** The figures of an evaluation. */
export function evaluationRows(summary: EvaluationSummary): FigureRow[] {
  const { decisions, strategies = {}, legs, subQueries, rounds, asks, tokens, usd } = summary
  const { latency_ms, failures, errors, rerankings, failedRerankings } = summary
  return [
    ...metricRows(summary),
    [
      'decisions',
      Object.entries(decisions)
        .map(([kind, count]) => `${kind} ${count}`)
        .join(', '),
    ],
    ...Object.entries(strategies).map(([name, figures]): FigureRow => [name, describeStrategy(figures)]),
    ...decisionFigures(summary).map(([name, figure]): FigureRow => [name, figure]),
    ['sub-queries', String(subQueries)],
    ['legs', String(legs)],
    ['rounds', String(rounds)],
    ['prompts', String(asks)],
    ['tokens', `prompt ${tokens.prompt}, completion ${tokens.completion}`],
    ...(usd === undefined ? [] : [['dollars', usd.toPrecision(3)] as const]),
    ...Object.entries(latency_ms).map(
      ([part, { p50, p95 }]): FigureRow => [part, `p50 ${formatDuration(p50)}, p95 ${formatDuration(p95)}`],
    ),
    ['fell back', String(failures)],
    ['failed', String(errors)],
    ...(failedRerankings === 0
      ? []
      : [['re-rankings failed', `${failedRerankings} of ${rerankings}`] as const]),
  ]
}

/** Prints figures, one a line. */
export function printRows(
  terminal: Terminal,
  rows: readonly FigureRow[],
  format: TableFormat = 'text',
): void {
  const width = Math.max(...rows.map(([name]) => name.length))
  const lines =
    format === 'text'
      ? rows.map(
          ([name, value]) => `${name.padEnd(width)}  ${typeof value === 'string' ? value : value.shown}`,
        )
      : formatTable(format, ['figure', 'value'], rows)
  for (const line of lines) print(terminal, line)
}
