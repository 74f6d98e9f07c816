/** Plots latency by stage: two bars per system, for the median and the 95th percentile. */

import { quantile } from '../../learn/statistics.ts'
import type { QueryResult } from '../comparison.ts'
import type { Plot } from './plot.ts'
import { barHeight, barOf, heightFor, plotWidth, rowAxis, rowGrid, rowTexts, valueAxis } from './rows.ts'
import { milliseconds } from './words.ts'

/** The stages of a search, in order. Retrieval that runs during the decision does not count: it adds no latency. */
export const stages = {
  deciding: { label: 'until it is decided', color: 'var(--deciding)' },
  searching: { label: 'searching after that', color: 'var(--searching)' },
  fusing: { label: 'fusing', color: 'var(--fusing)' },
  reranking: { label: 're-ranking', color: 'var(--reranking)' },
} as const

type Stages = Readonly<Record<keyof typeof stages, number>>

const quantiles = [
  { q: 0.5, label: 'half within' },
  { q: 0.95, label: '95 % within' },
] as const

/**
 * The `q`-quantile of the total latency, divided into stages. The division is the average over the tenth of all searches
 * whose ranks are nearest to the quantile. Quantiles of single stages would not sum to the total. `undefined` if no search
 * has times.
 */
export function stagesAt(results: readonly QueryResult[], q: number): Stages | undefined {
  const timed = results.flatMap((result) =>
    result.times === undefined ? [] : [{ total: result.times.total, parts: stagesOf(result) }],
  )
  if (timed.length === 0) return undefined
  timed.sort((a, b) => a.total - b.total)
  const near = Math.ceil(timed.length / 20)
  const place = Math.round((timed.length - 1) * q)
  const window = timed.slice(Math.max(0, place - near), place + near + 1)
  const whole = window.reduce((sum, { total }) => sum + total, 0)
  const length = quantile(
    timed.map(({ total }) => total),
    q,
  )
  const part = (stage: keyof Stages) =>
    whole > 0 ? (length * window.reduce((sum, { parts }) => sum + parts[stage], 0)) / whole : 0
  return {
    deciding: part('deciding'),
    searching: part('searching'),
    fusing: part('fusing'),
    reranking: part('reranking'),
  }
}

/** Divides the total latency of a search into stages. A search that fell back waited for a decision that did not arrive. */
function stagesOf({ times, fallback }: QueryResult): Stages {
  const { total, deciding, retrieving, fusing, reranking } = times!
  const rest = Math.max(0, total - fusing - reranking)
  const waited = deciding === 0 && fallback !== undefined ? rest - retrieving : deciding
  const decided = Math.min(rest, Math.max(0, waited))
  return { deciding: decided, searching: rest - decided, fusing, reranking }
}

/** @param results one array per system */
export function latencyPlot(
  name: string,
  systems: readonly string[],
  results: readonly (readonly QueryResult[])[],
): Plot {
  const rows = systems.flatMap((system, index) =>
    quantiles.map(({ q, label }, line) => {
      const parts = stagesAt(results[index]!, q)
      const total = parts === undefined ? 0 : Object.values(parts).reduce((sum, value) => sum + value, 0)
      return { system: line === 0 ? system : '', label, parts, total }
    }),
  )
  const names = Object.keys(stages) as (keyof Stages)[]
  const nameWidth = plotWidth - 160
  const rowHeight = heightFor(systems, nameWidth)
  return {
    name,
    label: rows
      .map(({ system, label, total }) => `${system} ${label} ${milliseconds(total)}`.trim())
      .join(', '),
    width: plotWidth,
    height: rows.length * rowHeight + 28,
    option: {
      grid: rowGrid(24),
      xAxis: valueAxis(Math.max(...rows.map(({ total }) => total)), (value) => `${value} ms`),
      yAxis: rowAxis(rows.length),
      series: [
        ...names.map((stage) => ({
          type: 'bar' as const,
          stack: 'time',
          barWidth: barHeight,
          itemStyle: { color: stages[stage].color },
          data: rows.map(({ parts }) => barOf(parts?.[stage] ?? 0)),
        })),
        rowTexts(
          rows.flatMap(({ system, label, total }, row) => [
            { row, text: system, color: 'var(--ink)', width: nameWidth },
            { row, text: label, color: 'var(--soft)', right: 68 },
            { row, text: milliseconds(total), color: 'var(--ink)', bold: true, right: 0 },
          ]),
        ),
      ],
    },
    tooltip(series, row) {
      const stage = names[series]
      const parts = rows[row]!.parts
      return stage === undefined || parts === undefined
        ? undefined
        : `${stages[stage].label}: ${milliseconds(parts[stage])}`
    },
  }
}
