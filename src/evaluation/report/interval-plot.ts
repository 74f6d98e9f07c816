/** Plots the differences of one system to the baseline: one row per metric, with its interval and a line for no difference. */
import type { CustomSeriesOption } from 'echarts'
import type { MetricScore } from '../comparison.ts'
import type { Plot } from './plot.ts'
import { axisText, heightFor, plotWidth, roundStep, rowAxis, rowGrid, rowTexts } from './rows.ts'
import { marks } from './score-plot.ts'
import { pEquals, signed } from './words.ts'

/** The width in pixels of the figures on the right. */
const figures = 150

/** @param scores those of a system that is not the baseline */
export function intervalPlot(name: string, system: string, scores: readonly MetricScore[]): Plot {
  const rows = scores.map(({ metric, versusBaseline }) => ({ metric, ...versusBaseline! }))
  const nameWidth = plotWidth - figures
  const rowHeight = heightFor(
    rows.map(({ metric }) => metric),
    nameWidth,
  )
  const [lowest, highest] = [
    Math.min(0, ...rows.map(({ low }) => low)),
    Math.max(0, ...rows.map(({ high }) => high)),
  ]
  const interval = roundStep((highest - lowest) / 4)
  return {
    name,
    label: `${system}: ${rows.map(({ metric, mean, low, high }) => `${metric} ${signed(mean)} (${signed(low)} to ${signed(high)})`).join(', ')}`,
    width: plotWidth,
    height: rows.length * rowHeight + 28,
    option: {
      grid: { ...rowGrid(24), left: 8, right: 8 },
      xAxis: {
        type: 'value',
        min: rounded(Math.floor(lowest / interval + 1e-9) * interval),
        max: rounded(Math.max(Math.ceil(highest / interval - 1e-9), lowest === 0 ? 1 : 0) * interval),
        interval,
        splitLine: { lineStyle: { color: 'var(--line)', width: 1 } },
        axisLabel: {
          ...axisText,
          formatter: (value: number) => (Math.abs(value) < interval / 2 ? '0' : signed(value)),
          alignMinLabel: 'left',
          alignMaxLabel: 'right',
        },
      },
      yAxis: rowAxis(rows.length),
      series: [
        noDifference(rows.length, rowHeight),
        {
          type: 'custom',
          z: 3,
          data: rows.map(({ low, mean, high }, row) => [low, row, mean, high]),
          encode: { x: [0, 2, 3], y: 1 },
          renderItem({ dataIndex }, api) {
            const at = (dimension: number): number => api.coord([api.value(dimension), api.value(1)])[0]!
            const [left, middle, right] = [at(0), at(2), at(3)]
            const y = api.coord([api.value(0), api.value(1)])[1]!
            const color = `var(--${rows[dataIndex]!.verdict}-text)`
            return {
              type: 'group',
              children: [
                {
                  type: 'path',
                  shape: {
                    pathData: `M${left} ${y}H${right}M${left} ${y - 5}V${y + 5}M${right} ${y - 5}V${y + 5}`,
                  },
                  style: { stroke: color, lineWidth: 2, fill: 'none' },
                },
                { type: 'circle', shape: { cx: middle, cy: y, r: 4.5 }, style: { fill: color } },
              ],
            }
          },
        },
        rowTexts(
          rows.flatMap(({ metric, mean, pHolm, verdict }, row) => [
            { row, text: metric, color: 'var(--ink)', width: nameWidth },
            { row, text: pEquals(pHolm), color: 'var(--soft)', right: 74 },
            {
              row,
              text: signed(mean) + marks[verdict],
              color: `var(--${verdict}-text)`,
              bold: true,
              right: 0,
            },
          ]),
        ),
      ],
    },
  }
}

/** 0.6000000000000001 is 0.6. */
const rounded = (value: number): number => Number(value.toPrecision(12))

/** A vertical line at 0 through all rows. */
function noDifference(rows: number, rowHeight: number): CustomSeriesOption {
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
        shape: { x1: x, y1: top - rowHeight / 2, x2: x, y2: bottom },
        style: { stroke: 'var(--baseline)', lineWidth: 1.5 },
      }
    },
  }
}
