/** The plots of a report: means, differences, decisions and latency. */
import type { MetricScore, QueryResult, SystemComparison } from '../comparison.ts'
import { html } from './html.ts'
import { entriesOf, outcomeCounts, outcomes, stages, stagesAt } from './parts.ts'
import { axisOf, rowPlot } from './plot.ts'
import { count, decimal, marks, milliseconds, pEquals, percent, signed, systemName } from './words.ts'

/** The means of one metric: one bar per system, with its confidence interval and its difference to the baseline. */
export function scorePlot(systems: readonly string[], scores: readonly MetricScore[]) {
  const { metric, mean: baseline } = scores[0]!
  return rowPlot({
    label: `${metric}: ${scores.map(({ mean }, index) => `${systems[index]} ${decimal(mean)}`).join(', ')}`,
    axis: axisOf(0, Math.max(...scores.map(({ high }) => high)), 5),
    tick: (value) => String(Number(value.toPrecision(6))),
    line: { at: baseline, kind: 'dotted' },
    rows: scores.map(({ mean, low, high, versusBaseline: versus }, row) => ({
      name: systems[row]!,
      figures: [
        html`<b>${decimal(mean)}</b>`,
        versus === undefined
          ? html`<span>baseline</span>`
          : html`<span class="${versus.verdict}">${signed(versus.mean)}${marks[versus.verdict]}</span>`,
      ],
      bars: [
        {
          from: 0,
          to: mean,
          color: `var(--${versus?.verdict ?? 'baseline'})`,
          title: `${systems[row]}: ${decimal(mean)} (${decimal(low)} to ${decimal(high)})${versus === undefined ? '' : `\n${signed(versus.mean)} to ${systems[0]}, ${pEquals(versus.pHolm)}`}`,
        },
      ],
      interval: { low, high, color: 'var(--whisker)' },
    })),
  })
}

/**
 * The differences of one system to the baseline: one row per metric, with its interval and a line for no difference.
 *
 * @param scores those of a system that is not the baseline
 */
export function intervalPlot(system: string, scores: readonly MetricScore[]) {
  const rows = scores.map(({ metric, versusBaseline }) => ({ metric, ...versusBaseline! }))
  const [lows, highs] = [rows.map(({ low }) => low), rows.map(({ high }) => high)]
  const axis = axisOf(Math.min(0, ...lows), Math.max(0, ...highs), 4)
  return rowPlot({
    label: `${system}: ${rows.map(({ metric, mean, low, high }) => `${metric} ${signed(mean)} (${signed(low)} to ${signed(high)})`).join(', ')}`,
    axis,
    tick: (value) => (value === 0 ? '0' : signed(value)),
    line: { at: 0, kind: 'solid' },
    rows: rows.map(({ metric, mean, low, high, pHolm, verdict }) => ({
      name: metric,
      figures: [
        html`<span>${pEquals(pHolm)}</span>`,
        html`<b class="${verdict}">${signed(mean)}${marks[verdict]}</b>`,
      ],
      interval: { low, mean, high, color: `var(--${verdict}-text)` },
    })),
  })
}

/** The shares of decisions and failures: one stacked bar per system. */
export function sharePlot(systems: readonly SystemComparison[]) {
  const rows = systems.map((system) => {
    const counts = outcomeCounts(system)
    const parts = entriesOf(outcomes).map(([name, label]) => ({ name, label, queries: counts[name] }))
    return { name: systemName(system.name), parts, all: system.summary.queries }
  })
  return rowPlot({
    label: rows
      .map(({ name, parts }) => `${name}: ${parts.map((one) => `${one.queries} ${one.label}`).join(', ')}`)
      .join('; '),
    axis: { min: 0, max: 1, interval: 1 },
    rows: rows.map(({ name: system, parts, all }) => ({
      name: system,
      bars: stacked(
        parts.map(({ name, label, queries }) => ({
          value: queries / all,
          color: `var(--${name})`,
          title: `${system}: ${count(queries, 'query', 'queries')} ${label} (${percent(queries / all)})`,
          text:
            queries / all >= 0.1 &&
            html`<span style="color: var(--on-${name})">${percent(queries / all)}</span>`,
        })),
      ),
    })),
  })
}

const quantiles = [
  { q: 0.5, label: 'half within' },
  { q: 0.95, label: '95 % within' },
] as const

/**
 * Latency by stage: two bars per system, for the median and the 95th percentile.
 *
 * @param results one array per system
 */
export function latencyPlot(systems: readonly string[], results: readonly (readonly QueryResult[])[]) {
  const rows = systems.flatMap((system, index) =>
    quantiles.map(({ q, label }, line) => {
      const parts = stagesAt(results[index]!, q)
      const total = Object.values(parts ?? {}).reduce((sum, value) => sum + value, 0)
      return { system: line === 0 ? system : '', label, parts, total }
    }),
  )
  return rowPlot({
    label: rows
      .map(({ system, label, total }) => `${system} ${label} ${milliseconds(total)}`.trim())
      .join(', '),
    axis: axisOf(0, Math.max(...rows.map(({ total }) => total)), 5),
    tick: (value) => `${value} ms`,
    rows: rows.map(({ system, label, parts, total }) => ({
      name: system,
      figures: [html`<span>${label}</span>`, html`<b>${milliseconds(total)}</b>`],
      bars: stacked(
        entriesOf(stages).map(([stage, name]) => {
          const value = parts?.[stage] ?? 0
          return { value, color: `var(--${stage})`, title: `${name}: ${milliseconds(value)}` }
        }),
      ),
    })),
  })
}

/** Bars one after the other. Those without a length are left out. */
function stacked<Part extends { readonly value: number }>(parts: readonly Part[]) {
  let to = 0
  return parts
    .map((part) => {
      const from = to
      to += part.value
      return { ...part, from, to }
    })
    .filter(({ value }) => value > 0)
}
