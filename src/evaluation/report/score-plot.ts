/** Plots the means of one metric: one bar per system, with its confidence interval and its difference to the baseline. */
import type { CustomSeriesOption } from 'echarts'
import type { MetricScore, Verdict } from '../comparison.ts'
import type { Plot } from './plot.ts'
import { barHeight, heightFor, plotWidth, rowAxis, rowGrid, rowTexts, valueAxis } from './rows.ts'
import { decimal, pEquals, signed } from './words.ts'

/** Marks for verdicts, for readers who do not see the colors. */
export const marks = { better: ' ▲', worse: ' ▼', unclear: '' } as const satisfies Record<Verdict, string>

/** Widths in pixels of the two columns on the right: the value, and the difference to the baseline. */
const valueColumn = 50
const differenceColumn = 74

export function scorePlot(name: string, systems: readonly string[], scores: readonly MetricScore[]): Plot {
  const { metric, mean: baseline } = scores[0]!
  const nameWidth = plotWidth - valueColumn - differenceColumn - 8
  const rowHeight = heightFor(systems, nameWidth)
  return {
    name,
    label: `${metric}: ${scores.map(({ mean }, index) => `${systems[index]} ${decimal(mean)}`).join(', ')}`,
    width: plotWidth,
    height: scores.length * rowHeight + 28,
    option: {
      grid: rowGrid(24),
      xAxis: valueAxis(Math.max(...scores.map(({ high }) => high)), (value) =>
        String(Number(value.toPrecision(6))),
      ),
      yAxis: rowAxis(scores.length),
      series: [
        {
          type: 'bar',
          barWidth: barHeight,
          data: scores.map(({ mean, versusBaseline }) => ({
            value: mean,
            itemStyle: { color: `var(--${versusBaseline?.verdict ?? 'baseline'})` },
          })),
        },
        baselineLine(baseline, scores.length, rowHeight),
        intervals(scores),
        rowTexts(
          scores.flatMap(({ mean, versusBaseline }, row) => [
            {
              row,
              text: systems[row]!,
              color: 'var(--ink)',
              width: nameWidth,
            },
            { row, text: decimal(mean), color: 'var(--ink)', bold: true, right: differenceColumn },
            versusBaseline === undefined
              ? { row, text: 'baseline', color: 'var(--soft)', right: 0 }
              : {
                  row,
                  text: signed(versusBaseline.mean) + marks[versusBaseline.verdict],
                  color: `var(--${versusBaseline.verdict}-text)`,
                  right: 0,
                },
          ]),
        ),
      ],
    },
    tooltip(series, row) {
      if (series > 0) return undefined
      const { mean, low, high, versusBaseline } = scores[row]!
      const difference =
        versusBaseline &&
        `\n${signed(versusBaseline.mean)} to ${systems[0]}, ${pEquals(versusBaseline.pHolm)}`
      return `${systems[row]}: ${decimal(mean)} (${decimal(low)} to ${decimal(high)})${difference ?? ''}`
    },
  }
}

/** A vertical line at the baseline's mean, through all rows. */
function baselineLine(mean: number, rows: number, rowHeight: number): CustomSeriesOption {
  return {
    type: 'custom',
    silent: true,
    z: 3,
    data: [[mean, 0]],
    renderItem(_, api) {
      const [x, top] = api.coord([mean, 0]) as [number, number]
      const bottom = api.coord([mean, rows - 1])[1]! + rowHeight / 2
      return {
        type: 'line',
        shape: { x1: x, y1: top - barHeight / 2, x2: x, y2: bottom },
        style: { stroke: 'var(--baseline)', lineWidth: 1, lineDash: [2, 3] },
      }
    },
  }
}

function intervals(scores: readonly MetricScore[]): CustomSeriesOption {
  return {
    type: 'custom',
    silent: true,
    z: 3,
    data: scores.map(({ low, high }, row) => [low, row, high]),
    encode: { x: [0, 2], y: 1 },
    renderItem(_, api) {
      const [left, y] = api.coord([api.value(0), api.value(1)]) as [number, number]
      const right = api.coord([api.value(2), api.value(1)])[0]!
      const cap = barHeight / 2 - 2
      return {
        type: 'path',
        shape: {
          pathData: `M${left} ${y}H${right}M${left} ${y - cap}V${y + cap}M${right} ${y - cap}V${y + cap}`,
        },
        style: { stroke: 'var(--whisker)', lineWidth: 1.5, fill: 'none' },
      }
    },
  }
}
