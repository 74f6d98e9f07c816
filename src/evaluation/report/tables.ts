/** Tables with every number of a comparison. */
import type { Comparison, CostScore, MetricScore, SystemComparison } from '../comparison.ts'
import type { Percentiles } from '../summary.ts'
import { type Html, html } from './html.ts'
import { decimal, duration, marks, pValue, scoredOf, signed, systemName, whole } from './words.ts'

interface Group {
  /** Stands above the rows. */
  readonly title?: string
  /** The name of a system, and its cells. Cells that a row lacks at its end are empty. */
  readonly rows: readonly (readonly [name: string, ...cells: (Html | string)[]])[]
}

export function table(
  label: string,
  columns: readonly string[],
  groups: readonly Group[],
  first = 'System',
): Html {
  const row = ([name, ...cells]: Group['rows'][number]): Html => {
    const missing = columns.length - cells.length
    const rest = missing > 0 && html`<td colspan="${missing}"></td>`
    return html`<tr><th scope="row">${name}</th>${cells.map((cell) => html`<td>${cell}</td>`)}${rest}</tr>
`
  }
  return html`<div class="scroll" role="region" tabindex="0" aria-label="${label}"><table><thead><tr><th scope="col">${first}</th>${columns.map((column) => html`<th scope="col">${column}</th>`)}</tr></thead>${groups.map(
    ({ title, rows }) =>
      html`<tbody>${
        title !== undefined &&
        html`<tr><th scope="rowgroup" colspan="${columns.length + 1}">${title}</th></tr>
`
      }${rows.map(row)}</tbody>`,
  )}</table></div>`
}

const compared = ['Mean', '95 % interval', 'Difference', '95 % interval', 'p', 'p, Holm']

/** The cells of those columns; the first two alone for the baseline. */
function comparedCells(
  { mean, low, high, versusBaseline: versus }: CostScore | MetricScore,
  format: (value: number) => string,
): (Html | string)[] {
  const own = [html`<b>${format(mean)}</b>`, `${format(low)} to ${format(high)}`]
  if (versus === undefined) return own
  const verdict = 'verdict' in versus ? versus.verdict : 'unclear'
  return [
    ...own,
    html`<span class="${verdict}">${signed(versus.mean)}${marks[verdict]}</span>`,
    `${signed(versus.low)} to ${signed(versus.high)}`,
    pValue(versus.p),
    pValue(versus.pHolm),
  ]
}

export const scoreTable = ({ metrics, systems }: Comparison): Html =>
  table(
    'Scores',
    [...compared, 'Better', 'Alike', 'Worse'],
    metrics.map((metric, index) => ({
      title: `${metric}${scoredOf(systems[0]!, index)}`,
      rows: systems.map(({ name, scores }) => {
        const { versusBaseline: versus } = scores[index]!
        const counts = versus === undefined ? [] : [versus.wins, versus.ties, versus.losses]
        return [systemName(name), ...comparedCells(scores[index]!, decimal), ...counts.map(whole)]
      }),
    })),
  )

/** What a query costs on average, and whether the differences may be chance. */
export const costDifferenceTable = ({ costs, systems }: Comparison): Html =>
  table(
    'Costs of a query',
    compared,
    costs.map(({ cost, systems: scores }) => ({
      title: cost,
      rows: scores.map((score, system) => [
        systemName(systems[system]!.name),
        ...comparedCells(score, (value) => value.toFixed(2)),
      ]),
    })),
  )

export function costTable(systems: readonly SystemComparison[]): Html {
  const times = ({ p50, p95 }: Percentiles): string => `${duration(p50)} / ${duration(p95)}`
  const rows = systems.map(({ name, summary }) => {
    const { latency_ms, subQueries, legs, rounds, asks, tokens, queries } = summary
    const { total, deciding, retrieving, fusing, reranking } = latency_ms
    return [
      systemName(name),
      ...[total, deciding, retrieving, fusing, reranking].map(times),
      ...[subQueries, legs, rounds, asks].map((value) => (value / queries).toFixed(1)),
      whole((tokens.prompt + tokens.completion) / queries),
    ] as const
  })
  const columns = ['Whole search', 'Deciding', 'Retrieving', 'Fusing', 'Re-ranking', 'Searches', 'Lists']
  return table('Costs', [...columns, 'Rounds', 'Prompts', 'Tokens'], [{ rows }])
}
