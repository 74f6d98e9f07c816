/** Plots the shares of decisions and failures: one stacked bar per system. */
import type { SystemComparison } from '../comparison.ts'
import type { Plot } from './plot.ts'
import { barHeight, barOf, heightFor, plotWidth, rowAxis, rowGrid, rowTexts } from './rows.ts'
import { count, percent } from './words.ts'

/** The possible outcomes of a query, in the order of the bar. `onto`: the color of text on the bar. */
export const outcomes = {
  'as-is': { label: 'as it is', color: 'var(--as-is)', onto: 'var(--on-as-is)' },
  rewrite: { label: 'rewritten', color: 'var(--rewrite)', onto: 'var(--on-rewrite)' },
  decompose: { label: 'split', color: 'var(--decompose)', onto: 'var(--on-decompose)' },
  fallback: { label: 'fell back', color: 'var(--fallback)', onto: 'var(--on-fallback)' },
  error: { label: 'no result', color: 'var(--error)', onto: 'var(--on-error)' },
} as const

type OutcomeName = keyof typeof outcomes

/** Number of queries per outcome. The summary counts fallbacks as `as-is`; here they are separate. */
export function outcomeCounts({ summary }: SystemComparison): Readonly<Record<OutcomeName, number>> {
  const { decisions, failures, errors } = summary
  return {
    'as-is': decisions['as-is'] - failures,
    rewrite: decisions.rewrite,
    decompose: decisions.decompose,
    fallback: failures,
    error: errors,
  }
}

export function sharePlot(name: string, systems: readonly SystemComparison[]): Plot {
  const counts = systems.map(outcomeCounts)
  const names = Object.keys(outcomes) as OutcomeName[]
  const rowHeight = heightFor(
    systems.map(({ name }) => name),
    plotWidth,
  )
  return {
    name,
    label: systems
      .map(
        (system, row) =>
          `${system.name}: ${names.map((outcome) => `${counts[row]![outcome]} ${outcomes[outcome].label}`).join(', ')}`,
      )
      .join('; '),
    width: plotWidth,
    height: systems.length * rowHeight + 4,
    option: {
      grid: rowGrid(0),
      xAxis: { type: 'value', min: 0, max: 1, show: false },
      yAxis: rowAxis(systems.length),
      series: [
        ...names.map((outcome) => ({
          type: 'bar' as const,
          stack: 'queries',
          barWidth: barHeight + 6,
          itemStyle: { color: outcomes[outcome].color },
          data: systems.map(({ summary }, row) => barOf(counts[row]![outcome] / summary.queries)),
          label: {
            show: true,
            color: outcomes[outcome].onto,
            fontSize: 11,
            formatter: ({ value }: { value?: unknown }) =>
              Number(value) >= 0.1 ? percent(Number(value)) : '',
          },
        })),
        rowTexts(
          systems.map((system, row) => ({ row, text: system.name, color: 'var(--ink)', width: plotWidth })),
        ),
      ],
    },
    tooltip(series, row) {
      const outcome = names[series]
      if (outcome === undefined) return undefined
      const queries = counts[row]![outcome]
      return `${systems[row]!.name}: ${count(queries, 'query', 'queries')} ${outcomes[outcome].label} (${percent(queries / systems[row]!.summary.queries)})`
    },
  }
}
