/** Tables with every number of a comparison. */
import type { Comparison, CostScore, MetricScore, SystemComparison } from '../comparison.ts'
import type { Percentiles } from '../summary.ts'
import { type Html, html } from './html.ts'
import { marks } from './score-plot.ts'
import { decimal, duration, pValue, scoredOf, signed, whole } from './words.ts'

function table(label: string, head: Html, body: Html): Html {
  return html`<div class="scroll" role="region" tabindex="0" aria-label="${label}"><table><thead>${head}</thead>${body}</table></div>`
}

export function scoreTable({ metrics, systems }: Comparison): Html {
  const columns = [
    'Mean',
    '95 % interval',
    'Difference',
    '95 % interval',
    'p',
    'p, Holm',
    'Better',
    'Alike',
    'Worse',
  ]
  return table(
    'Scores',
    html`<tr><th scope="col">System</th>${columns.map((column) => html`<th scope="col">${column}</th>`)}</tr>`,
    html`${metrics.map(
      (metric, index) => html`<tbody>
<tr><th scope="rowgroup" colspan="${columns.length + 1}">${metric}${scoredOf(systems[0]!, index)}</th></tr>
${systems.map(({ name, scores }) => scoreRow(name, scores[index]!))}
</tbody>`,
    )}`,
  )
}

function scoreRow(name: string, { mean, low, high, versusBaseline: versus }: MetricScore): Html {
  const own = html`<th scope="row">${name}</th><td><b>${decimal(mean)}</b></td><td>${decimal(low)} to ${decimal(high)}</td>`
  if (versus === undefined)
    return html`<tr>${own}<td colspan="7"></td></tr>
`
  return html`<tr>${own}<td class="${versus.verdict}">${signed(versus.mean)}${marks[versus.verdict]}</td><td>${signed(versus.low)} to ${signed(versus.high)}</td><td>${pValue(versus.p)}</td><td>${pValue(versus.pHolm)}</td><td>${whole(versus.wins)}</td><td>${whole(versus.ties)}</td><td>${whole(versus.losses)}</td></tr>
`
}

/** What a query costs on average, and whether the differences may be chance. */
export function costDifferenceTable({ costs, systems }: Comparison): Html {
  const columns = ['Mean', '95 % interval', 'Difference', '95 % interval', 'p', 'p, Holm']
  return table(
    'Costs of a query',
    html`<tr><th scope="col">System</th>${columns.map((column) => html`<th scope="col">${column}</th>`)}</tr>`,
    html`${costs.map(
      ({ cost, systems: scores }) => html`<tbody>
<tr><th scope="rowgroup" colspan="${columns.length + 1}">${cost}</th></tr>
${scores.map((score, system) => costRow(systems[system]!.name, score))}
</tbody>`,
    )}`,
  )
}

function costRow(name: string, { mean, low, high, versusBaseline: versus }: CostScore): Html {
  const own = html`<th scope="row">${name}</th><td><b>${mean.toFixed(2)}</b></td><td>${low.toFixed(2)} to ${high.toFixed(2)}</td>`
  if (versus === undefined)
    return html`<tr>${own}<td colspan="4"></td></tr>
`
  return html`<tr>${own}<td>${signed(versus.mean)}</td><td>${signed(versus.low)} to ${signed(versus.high)}</td><td>${pValue(versus.p)}</td><td>${pValue(versus.pHolm)}</td></tr>
`
}

export function costTable(systems: readonly SystemComparison[]): Html {
  const columns = [
    'Whole search',
    'Deciding',
    'Retrieving',
    'Fusing',
    'Re-ranking',
    'Sub-queries',
    'Legs',
    'Rounds',
    'Prompts',
    'Tokens',
  ]
  const times = ({ p50, p95 }: Percentiles): string => `${duration(p50)} / ${duration(p95)}`
  return table(
    'Costs',
    html`<tr><th scope="col">System</th>${columns.map((column) => html`<th scope="col">${column}</th>`)}</tr>`,
    html`<tbody>${systems.map(({ name, summary }) => {
      const { latency_ms, subQueries, legs, rounds, asks, tokens, queries } = summary
      const each = (value: number): string => (value / queries).toFixed(1)
      return html`<tr><th scope="row">${name}</th><td>${times(latency_ms.total)}</td><td>${times(latency_ms.deciding)}</td><td>${times(latency_ms.retrieving)}</td><td>${times(latency_ms.fusing)}</td><td>${times(latency_ms.reranking)}</td><td>${each(subQueries)}</td><td>${each(legs)}</td><td>${each(rounds)}</td><td>${each(asks)}</td><td>${whole((tokens.prompt + tokens.completion) / queries)}</td></tr>
`
    })}</tbody>`,
  )
}
