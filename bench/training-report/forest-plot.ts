/** Differences with their intervals: a row a system, the decision alone above decision and re-ranking, and a line at 0. */
import type { CustomSeriesOption } from 'echarts'
import type { Plot } from '../../src/evaluation/report/plot.ts'
import {
  axisText,
  plotWidth,
  roundStep,
  rowAxis,
  rowGrid,
  rowHeight,
  rowTexts,
} from '../../src/evaluation/report/rows.ts'
import type { Difference } from '../experiments/experiments.ts'
import type { MeasureName } from '../experiments/measures.ts'
import { signedValue, verdictWords } from './words.ts'

export interface ForestRow {
  readonly name: string
  readonly alone: Difference
  readonly reranked?: Difference | undefined
}

/** From the middle of a row down to the line of each column. */
const lines = { alone: -1, reranked: 11 } as const

/** What each column is drawn in; the marks differ, too. */
export const columnColors = { alone: 'var(--decompose)', reranked: 'var(--rewrite)' } as const

/** The width of the column at the right. */
const figures = 150

/** @param rows not empty */
export function forestPlot(name: string, measure: MeasureName, rows: readonly ForestRow[]): Plot {
  const all = rows.flatMap(({ alone, reranked }) => (reranked === undefined ? [alone] : [alone, reranked]))
  const scale = measure === 'reward' ? 1 : 100
  const lowest = Math.min(0, ...all.map(({ low }) => low))
  const highest = Math.max(0, ...all.map(({ high }) => high))
  const interval = roundStep(Math.max(1e-3, (highest - lowest) / 4))
  return {
    name,
    label: rows
      .map(({ name, alone }) => `${name}: ${signedValue(measure, alone.mean)} ${verdictWords[alone.verdict]}`)
      .join('; '),
    width: plotWidth,
    height: rows.length * rowHeight + 28,
    option: {
      grid: rowGrid(24),
      xAxis: {
        type: 'value',
        min: Number((Math.floor(lowest / interval + 1e-9) * interval).toPrecision(12)),
        max: Number((Math.ceil(highest / interval - 1e-9) * interval).toPrecision(12)),
        interval,
        splitLine: { lineStyle: { color: 'var(--line)', width: 1 } },
        axisLabel: {
          ...axisText,
          formatter: (value: number) => String(Number((scale * value).toPrecision(6))).replace('-', '−'),
          alignMinLabel: 'left',
          alignMaxLabel: 'right',
        },
      },
      yAxis: rowAxis(rows.length),
      series: [
        zeroLine(rows.length),
        whiskers(rows, 'alone'),
        whiskers(rows, 'reranked'),
        rowTexts(
          rows.flatMap(({ name, alone }, row) => [
            { row, text: name, color: 'var(--ink)', width: plotWidth - figures },
            {
              row,
              text: `${signedValue(measure, alone.mean)} ${verdictWords[alone.verdict]}`,
              color: `var(--${alone.verdict}-text)`,
              right: 0,
            },
          ]),
        ),
      ],
    },
  }
}

function zeroLine(rows: number): CustomSeriesOption {
  return {
    type: 'custom',
    silent: true,
    z: 2,
    data: [[0, 0]],
    renderItem(_, api) {
      const [x, top] = api.coord([0, 0]) as [number, number]
      const bottom = api.coord([0, rows - 1])[1]! + rowHeight / 2
      return {
        type: 'line',
        shape: { x1: x, y1: top - 8, x2: x, y2: bottom },
        style: { stroke: 'var(--whisker)', lineWidth: 1 },
      }
    },
  }
}

/** A dot with its interval; a square for what was re-ranked. */
function whiskers(rows: readonly ForestRow[], column: keyof typeof lines): CustomSeriesOption {
  const drawn = rows.flatMap((row, index) => {
    const difference = row[column]
    return difference === undefined ? [] : [{ index, ...difference }]
  })
  return {
    type: 'custom',
    silent: true,
    z: 3,
    data: drawn.map(({ index, low, mean, high }) => [low, index, mean, high]),
    encode: { x: [0, 3], y: 1 },
    renderItem(_, api) {
      const [left, middle] = api.coord([api.value(0), api.value(1)]) as [number, number]
      const at = api.coord([api.value(2), api.value(1)])[0]!
      const right = api.coord([api.value(3), api.value(1)])[0]!
      const y = middle + lines[column]
      const mark =
        column === 'alone'
          ? `M${at - 4} ${y}a4 4 0 1 0 8 0a4 4 0 1 0 -8 0Z`
          : `M${at - 3.5} ${y - 3.5}h7v7h-7Z`
      return {
        type: 'group',
        children: [
          {
            type: 'path',
            shape: { pathData: `M${left} ${y}H${right}` },
            style: { stroke: columnColors[column], lineWidth: 2, fill: 'none' },
          },
          { type: 'path', shape: { pathData: mark }, style: { fill: columnColors[column] } },
        ],
      }
    },
  }
}
