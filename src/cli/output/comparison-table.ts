import type {
  Comparison,
  CostScore,
  Difference,
  MetricScore,
  SystemComparison,
} from '../../evaluation/comparison.ts'
import { decimal, marks, pEquals, pValue, scoredOf, signed } from '../../evaluation/report/words.ts'
import { count } from './count.ts'
import { decisionFigures } from './decision-figures.ts'
import { formatDuration } from './duration.ts'
import { rerankingWarning } from './evaluation-table.ts'
import type { Cell } from './table-format.ts'

/** A comparison for people: the scores by metric, then latencies and decisions. */
export function comparisonTable({ metrics, systems, costs, method }: Comparison): string[] {
  const width = Math.max(...systems.map(({ name }) => name.length))
  const rows = (cells: (system: SystemComparison) => string): string[] =>
    systems.map((system) => `  ${system.name.padEnd(width)}  ${cells(system)}`)
  return [
    ...metrics.flatMap((metric, index) => [
      `${metric}${scoredOf(systems[0]!, index)}`,
      ...rows(({ scores }) => describeScore(scores[index]!)),
    ]),
    ...costs.flatMap(({ cost, systems: scores }) => [
      `${cost} a query`,
      ...scores.map((score, system) => `  ${systems[system]!.name.padEnd(width)}  ${describeCost(score)}`),
    ]),
    'latency',
    ...rows(
      ({ summary: { latency_ms } }) =>
        `p50 ${formatDuration(latency_ms.total.p50)}, p95 ${formatDuration(latency_ms.total.p95)}, ` +
        `re-ranking alone p50 ${formatDuration(latency_ms.reranking.p50)}`,
    ),
    'decisions',
    ...rows(describeDecisions),
    `▲ ▼: significantly better or worse than ${systems[0]!.name}. Paired randomization test, Holm's correction over ` +
      `${count(method.comparisons, 'comparison')}, p < ${method.alpha}; 95 % bootstrap intervals.`,
  ]
}

/** Caveats about the figures. */
export function comparisonWarnings({ systems }: Comparison): string[] {
  return systems.flatMap(({ name, summary }) => {
    const { queries, failures, errors } = summary
    const nothingElse = failures > 0 && failures >= queries - errors
    const reranking = rerankingWarning(summary)
    return [
      ...(nothingElse
        ? [
            `WARNING: with ${name}, all queries (${failures}) fell back to the original query. These are NOT its figures.`,
          ]
        : []),
      ...(reranking === undefined ? [] : [`WARNING: with ${name}, ${reranking}`]),
    ]
  })
}

function describeScore({ mean, low, high, versusBaseline: versus }: MetricScore): string {
  const score = `${decimal(mean)} [${decimal(low)}, ${decimal(high)}]`
  if (versus === undefined) return `${score}  baseline`
  const { wins, ties, losses, verdict } = versus
  return (
    `${score}  ${signed(versus.mean)} [${signed(versus.low)}, ${signed(versus.high)}]  ` +
    `${bothP(versus)}${marks[verdict]}  ${wins} better, ${ties} alike, ${losses} worse`
  )
}

/** Costs have no verdict: less is not better by itself. */
function describeCost({ mean, low, high, versusBaseline: versus }: CostScore): string {
  const cost = `${mean.toFixed(2)} [${low.toFixed(2)}, ${high.toFixed(2)}]`
  if (versus === undefined) return `${cost}  baseline`
  return `${cost}  ${signed(versus.mean)} [${signed(versus.low)}, ${signed(versus.high)}]  ${bothP(versus)}`
}

const bothP = ({ p, pHolm }: Pick<Difference, 'p' | 'pHolm'>): string =>
  `${pEquals(p)} (Holm ${pValue(pHolm)})`.replaceAll('\u00a0', ' ')

/** The scores and costs of a comparison, one row per metric and system. */
export function comparisonRows({ metrics, systems, costs }: Comparison): Cell[][] {
  const rowOf = (name: string, system: string, score: MetricScore | CostScore, digits: number): Cell[] => {
    const cell = (exact: number): Cell => ({ shown: exact.toFixed(digits), exact })
    const own = [name, system, cell(score.mean), cell(score.low), cell(score.high)]
    const versus: Partial<Difference> | undefined = score.versusBaseline
    const gap = (exact: number | undefined, shown: (value: number) => string): Cell =>
      exact === undefined ? '' : { shown: shown(exact), exact }
    const mark = versus?.verdict === undefined ? '' : marks[versus.verdict]
    return [
      ...own,
      gap(versus?.mean, (value) => `${signed(value)}${mark}`),
      gap(versus?.low, signed),
      gap(versus?.high, signed),
      gap(versus?.p, pValue),
      gap(versus?.pHolm, pValue),
      gap(versus?.wins, String),
      gap(versus?.ties, String),
      gap(versus?.losses, String),
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

export const comparisonColumns = [
  ...['metric', 'system', 'mean', 'low', 'high'],
  ...['difference', 'difference low', 'difference high', 'p', 'p Holm', 'better', 'alike', 'worse'],
] as const

function describeDecisions({ summary }: SystemComparison): string {
  const { decisions, failures, errors, rerankings, failedRerankings } = summary
  return [
    ...Object.entries(decisions).map(([kind, count]) => `${kind} ${count}`),
    ...decisionFigures(summary).map(([name, figure]) => `${name} ${figure}`),
    ...(failures > 0 ? [`fell back ${failures}`] : []),
    ...(errors > 0 ? [`failed ${errors}`] : []),
    ...(failedRerankings > 0 ? [`re-rankings failed ${failedRerankings} of ${rerankings}`] : []),
  ].join(', ')
}
