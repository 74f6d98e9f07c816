/** The figures of an evaluation and of a comparison, and what is to be said of them. */
import type { Comparison, CostScore, Difference, MetricScore } from '../../evaluation/comparison.ts'
import type { Evaluation } from '../../evaluation/evaluate.ts'
import { judgedWarnings } from '../../evaluation/judged-share.ts'
import { wasSearched } from '../../evaluation/report/parts.ts'
import { marks, pValue, signed, systemName } from '../../evaluation/report/words.ts'
import type { EvaluationSummary, StrategyFigures } from '../../evaluation/summary.ts'
import type { DecisionKind } from '../../types.ts'
import { kindWords } from './decision.ts'
import { type Cell, formatTable, shown, type TableFormat } from './table-format.ts'
import { count, formatDuration, framed, percent } from './words.ts'

/** Says which queries the metrics of answers leave out. */
export function answerWarnings({ queries, answerable = 0 }: EvaluationSummary): string[] {
  if (answerable === queries) return []
  if (answerable === 0)
    return ['The queries have no accepted answers (metadata.answer): answers were not measured.']
  return [
    `${queries - answerable} of ${queries} queries have no accepted answer: metrics of answers leave them out.`,
  ]
}

/** Caveats about the figures of one system. */
export function evaluationWarnings({ summary, traces, errors, unjudged }: Evaluation): string[] {
  const { queries, failures } = summary
  const partial = traces.filter((trace) => trace.partial).length
  const reason = traces.find(({ fallback }) => fallback !== undefined)?.fallback?.message
  const isAll = failures > 0 && failures === traces.length
  const reranking = rerankingWarning(summary)
  const rerankReason = traces.find(({ rerankFailure }) => rerankFailure !== undefined)?.rerankFailure?.message
  const failed = `${count(errors.length, 'search', 'searches')} failed and count as 0`
  return [
    ...(unjudged > 0 ? [`${unjudged} of the queries have no judgments and were left out.`] : []),
    ...(errors.length > 0 ? [`${failed}. The first error: ${errors[0]!.error.message}`] : []),
    ...(partial > 0
      ? [`${count(partial, 'search is', 'searches are')} partial: a list failed or was late.`]
      : []),
    ...(failures > 0 && !isAll
      ? [`${failures} of ${queries} queries have the results without Querent. The first reason: ${reason}`]
      : []),
    ...(isAll ? framed(`WARNING: ${fellBack(failures, "the policy's")}`, `The first reason: ${reason}`) : []),
    ...(reranking !== undefined ? framed(`WARNING: ${reranking}`, `The first reason: ${rerankReason}`) : []),
  ]
}

/** Caveats about the figures of several systems. */
export function comparisonWarnings(comparison: Comparison): string[] {
  const failed = comparison.systems.flatMap(({ name, summary }) => {
    const { queries, failures, errors } = summary
    const reranking = rerankingWarning(summary)
    return [
      ...(failures > 0 && failures >= queries - errors
        ? [`WARNING: with ${name}, ${fellBack(failures, 'its')}`]
        : []),
      ...(reranking === undefined ? [] : [`WARNING: with ${name}, ${reranking}`]),
    ]
  })
  return [...failed, ...judgedWarnings(comparison).map((warning) => `WARNING: ${warning}`)]
}

const fellBack = (failures: number, whose: string): string =>
  `all queries (${failures}) have the results without Querent. These are NOT ${whose} figures.`

/** Says how many hits were not re-ranked although they should have been. Without a failure it says nothing. */
function rerankingWarning({ rerankings, failedRerankings }: EvaluationSummary): string | undefined {
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

/**
 * What an evaluation searched: its decisions, the share of queries whose words alone were searched, the share of those with one request to each
 * retriever, and the mean number of sub-queries, including the original query.
 */
function decisionRows({
  queries,
  decisions,
  strategies = {},
  leftAlone,
  oneRequest,
  subQueries,
}: EvaluationSummary): FigureRow[] {
  const kinds = Object.entries(decisions).map(
    ([kind, count]) => `${kindWords[kind as DecisionKind]} ${count}`,
  )
  return [
    ['decisions', kinds.join(', ')],
    ...Object.entries(strategies).map(([name, figures]): FigureRow => [name, describeStrategy(figures)]),
    ['your words alone', percent(leftAlone / queries)],
    ['one request', percent(oneRequest / queries)],
    ['searches per query', (subQueries / queries).toFixed(2)],
  ]
}

/** The figures of an evaluation. */
export function evaluationRows(summary: EvaluationSummary): FigureRow[] {
  const { legs, subQueries, rounds, asks, tokens, usd, latency_ms } = summary
  const { failures, errors, rerankings, failedRerankings } = summary
  return [
    ...metricRows(summary),
    ...decisionRows(summary),
    ...Object.entries({ searches: subQueries, lists: legs, rounds, prompts: asks }).map(
      ([name, value]): FigureRow => [name, String(value)],
    ),
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

/** Figures, one a line. */
export const rowLines = (rows: readonly FigureRow[], format: TableFormat = 'text'): string[] =>
  formatTable(format, format === 'text' ? [] : ['figure', 'value'], rows)

const columns = [
  ...['metric', 'system', 'mean', 'low', 'high'],
  ...['difference', 'difference low', 'difference high', 'p', 'p Holm', 'better', 'alike', 'worse'],
]

/** A comparison: the scores and costs, one row per metric and system; for people, also latencies and decisions. */
export function comparisonLines(comparison: Comparison, format: TableFormat = 'text'): string[] {
  const rows = comparisonRows(comparison)
  if (format !== 'text') return formatTable(format, columns, rows)
  const { systems, method } = comparison
  const scores = rows.map((row) => {
    const [metric, system, mean, low, high, gap, gapLow, gapHigh, , holm, ...queries] = row.map(shown)
    const own = [metric!.replace(' a query', ''), systemName(system!), `${mean} [${low}, ${high}]`]
    if (gap === '') return [...own, 'baseline', '', '']
    return [...own, `${gap} [${gapLow}, ${gapHigh}]`, holm!, queries.filter(Boolean).join('/')]
  })
  const others = systems.map(({ summary, 'judged@10': judged }) => {
    const { latency_ms, failures, errors } = summary
    const times = (['total', 'reranking'] as const).map((part): FigureRow => {
      const { p50, p95 } = latency_ms[part]
      return [
        `${part === 'total' ? '' : 're-ranking, '}p50 / p95`,
        `${formatDuration(p50)} / ${formatDuration(p95)}`,
      ]
    })
    const share = ['judged@10', judged.toFixed(3)] as const
    if (!wasSearched(comparison)) return [share]
    return [share, ...times, ...decisionRows(summary), ['fell back/failed', `${failures}/${errors}`] as const]
  })
  const figures = [...new Set(others.flatMap((ofSystem) => ofSystem.map(([figure]) => figure)))]
  const figureOf = (ofSystem: readonly FigureRow[], figure: string): string =>
    shown(ofSystem.find(([name]) => name === figure)?.[1] ?? '')
  const alpha = `Holm's correction over ${count(method.comparisons, 'comparison')}, p < ${method.alpha}`
  return [
    ...formatTable('text', ['', '', 'mean', `against ${systemName(systems[0]!.name)}`, 'p', '▲/=/▼'], scores),
    '',
    ...formatTable(
      'text',
      ['', ...systems.map(({ name }) => systemName(name))],
      figures.map((figure) => [figure, ...others.map((ofSystem) => figureOf(ofSystem, figure))]),
    ),
    `▲/=/▼: queries that do better, alike and worse. A mark beside a difference: it is significant. Paired randomization test, ${alpha}; 95 % bootstrap intervals.`,
  ]
}

function comparisonRows({ metrics, systems, costs }: Comparison): Cell[][] {
  const rowOf = (name: string, system: string, score: MetricScore | CostScore, digits: number): Cell[] => {
    const cell = (exact: number): Cell => ({ shown: exact.toFixed(digits), exact })
    const versus: Partial<Difference> | undefined = score.versusBaseline
    const gap = (exact: number | undefined, shown: (value: number) => string): Cell =>
      exact === undefined ? '' : { shown: shown(exact), exact }
    const mark = versus?.verdict === undefined ? '' : marks[versus.verdict]
    return [
      ...[name, system, cell(score.mean), cell(score.low), cell(score.high)],
      gap(versus?.mean, (value) => `${signed(value)}${mark}`),
      ...[gap(versus?.low, signed), gap(versus?.high, signed)],
      ...[gap(versus?.p, pValue), gap(versus?.pHolm, pValue)],
      ...[gap(versus?.wins, String), gap(versus?.ties, String), gap(versus?.losses, String)],
    ]
  }
  return [
    ...metrics.flatMap((metric, index) =>
      systems.map(({ name, scores }) => rowOf(metric, name, scores[index]!, 4)),
    ),
    ...costs.flatMap(({ cost, systems: scores }) =>
      scores.map((score, index) => rowOf(`${cost} a query`, systems[index]!.name, score, 2)),
    ),
  ]
}
