import type { EvaluationSummary } from '../../evaluation/summary.ts'
import { decisionFigures } from './decision-figures.ts'
import { formatDuration } from './duration.ts'

/** Says which queries the metrics of answers leave out. */
export function answerWarnings({ queries, answerable = 0 }: EvaluationSummary): string[] {
  if (answerable === queries) return []
  if (answerable === 0)
    return ['The queries have no accepted answers (metadata.answer): answers were not measured.']
  return [
    `${queries - answerable} of ${queries} queries have no accepted answer: metrics of answers leave them out.`,
  ]
}

/** The figures of an evaluation for people, one line each. */
export function evaluationTable(summary: EvaluationSummary): string[] {
  const { queries, metrics, decisions, legs, subQueries, rounds, asks, tokens } = summary
  const { latency_ms, failures, errors } = summary
  const rows: [string, string][] = [
    ['queries', String(queries)],
    ...Object.entries(metrics).map(([name, mean]): [string, string] => [name, mean.toFixed(4)]),
    [
      'decisions',
      Object.entries(decisions)
        .map(([kind, count]) => `${kind} ${count}`)
        .join(', '),
    ],
    ...decisionFigures(summary).map(([name, figure]): [string, string] => [name, figure]),
    ['sub-queries', String(subQueries)],
    ['legs', String(legs)],
    ['rounds', String(rounds)],
    ['prompts', String(asks)],
    ['tokens', `prompt ${tokens.prompt}, completion ${tokens.completion}`],
    ...Object.entries(latency_ms).map(([part, { p50, p95 }]): [string, string] => [
      part,
      `p50 ${formatDuration(p50)}, p95 ${formatDuration(p95)}`,
    ]),
    ['fell back', String(failures)],
    ['failed', String(errors)],
  ]
  const width = Math.max(...rows.map(([name]) => name.length))
  return rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`)
}
