/** Lines over the epochs of training, each with the band of its standard deviation. */
import type { LineSeriesOption } from 'echarts'
import type { Plot } from '../../src/evaluation/report/plot.ts'
import { axisText, plotWidth, roundStep } from '../../src/evaluation/report/rows.ts'
import type { CurveEpoch, Spread } from '../experiments/experiments.ts'

export interface Line {
  readonly name: string
  readonly color: string
  readonly dashed?: boolean
  readonly at: (epoch: CurveEpoch) => Spread
}

const height = 260

/** @param levels lines across, such as what the query as it is earns */
export function curvePlot(
  name: string,
  title: string,
  curve: readonly CurveEpoch[],
  lines: readonly Line[],
  levels: readonly number[] = [],
): Plot {
  const values = [
    ...curve.flatMap((epoch) =>
      lines.flatMap(({ at }) => [at(epoch).mean - at(epoch).deviation, at(epoch).mean + at(epoch).deviation]),
    ),
    ...levels,
  ]
  const interval = roundStep((Math.max(...values) - Math.min(...values)) / 4)
  const [min, max] = [
    Math.floor(Math.min(...values) / interval + 1e-9) * interval,
    Math.ceil(Math.max(...values) / interval - 1e-9) * interval,
  ]
  const stageTwo = curve.findIndex(({ stage, epoch }) => stage === 2 && epoch > 0)
  return {
    name,
    label: `${title}: ${lines
      .map(
        (line) =>
          `${line.name} from ${line.at(curve[0]!).mean.toFixed(3)} to ${line.at(curve.at(-1)!).mean.toFixed(3)}`,
      )
      .join(', ')}`,
    width: plotWidth,
    height,
    option: {
      grid: { left: 38, right: 6, top: 10, bottom: 40, outerBoundsMode: 'none' },
      xAxis: {
        type: 'value',
        name: stageTwo > 0 ? `epoch (Stage II from ${curve[stageTwo]!.epoch})` : 'epoch',
        nameLocation: 'middle',
        nameGap: 24,
        nameTextStyle: axisText,
        min: 0,
        max: curve.length - 1,
        minInterval: 1,
        splitLine: { show: false },
        axisLine: { lineStyle: { color: 'var(--baseline)' } },
        axisLabel: axisText,
      },
      yAxis: {
        type: 'value',
        min: Number(min.toPrecision(12)),
        max: Number(max.toPrecision(12)),
        interval,
        splitLine: { lineStyle: { color: 'var(--line)' } },
        axisLabel: { ...axisText, formatter: (value: number) => String(Number(value.toPrecision(4))) },
      },
      series: [
        ...lines.flatMap((line) => bandAndLine(line, curve)),
        ...levels.map(
          (value): LineSeriesOption => ({
            type: 'line',
            silent: true,
            symbol: 'none',
            lineStyle: { color: 'var(--baseline)', width: 1, type: [2, 3] },
            data: [
              [0, value],
              [curve.length - 1, value],
            ],
          }),
        ),
      ],
    },
  }
}

function bandAndLine(
  { name, color, dashed = false, at }: Line,
  curve: readonly CurveEpoch[],
): LineSeriesOption[] {
  const spreads = curve.map(at)
  const invisible = { opacity: 0 }
  const band = { type: 'line' as const, stack: name, silent: true, symbol: 'none', lineStyle: invisible }
  return [
    {
      ...band,
      stackStrategy: 'all',
      data: spreads.map(({ mean, deviation }, epoch) => [epoch, mean - deviation]),
    },
    {
      ...band,
      stackStrategy: 'all',
      areaStyle: { color, opacity: 0.15 },
      data: spreads.map(({ deviation }, epoch) => [epoch, 2 * deviation]),
    },
    {
      type: 'line',
      name,
      silent: true,
      symbol: 'none',
      lineStyle: { color, width: 2, ...(dashed && { type: [5, 4] }) },
      data: spreads.map(({ mean }, epoch) => [epoch, mean]),
    },
  ]
}
