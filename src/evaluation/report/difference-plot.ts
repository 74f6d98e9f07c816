/** Plots the difference of every query to the baseline: gains on the left, losses on the right. */
import type { CustomSeriesOption } from 'echarts'
import type { Difference } from '../comparison.ts'
import type { Plot } from './plot.ts'
import { axisText, roundStep } from './rows.ts'
import { count, decimal, signed, whole } from './words.ts'

/** A query with a gain or a loss. */
export interface Change {
  readonly text: string
  readonly baseline: number
  readonly value: number
  readonly difference: number
}

/** The width of the axis labels, in pixels. */
const axisWidth = 34

/** The largest number of bars that readers can distinguish. With more queries, neighbors share a bar. */
const maxBars = 480

interface DifferencePlotInput {
  readonly name: string
  readonly system: string
  readonly metric: string
  /** The queries with a difference, from the largest gain to the largest loss. */
  readonly changes: readonly Change[]
  readonly versusBaseline: Pick<Difference, 'wins' | 'ties' | 'losses'>
  /** The largest gain and the largest loss of any system, 0 or above. All plots share them, so that readers can compare them. */
  readonly extent: { readonly gain: number; readonly loss: number }
  readonly width: number
  readonly height: number
}

export function differencePlot(input: DifferencePlotInput): Plot {
  const { name, system, metric, changes, versusBaseline, extent, width, height } = input
  const { wins, ties, losses } = versusBaseline
  const interval = roundStep(Math.max(extent.gain, extent.loss) / 2)
  const stepsFor = (value: number): number => Math.ceil(value / interval - 1e-9) * interval
  const groupSize = Math.max(1, Math.ceil((wins + losses) / maxBars))
  const gains = groups(changes.slice(0, wins), groupSize)
  const drops = groups(changes.slice(wins), groupSize)
  const tiePlaces = Math.ceil(ties / groupSize)
  const bars = [...gains, ...drops]
  const total = bars.length + tiePlaces
  return {
    name,
    label: `${system}, ${metric}: ${count(wins, 'query', 'queries')} better than the baseline, ${whole(ties)} alike, ${whole(losses)} worse`,
    width,
    height,
    option: {
      grid: { left: axisWidth, right: 0, top: 26, bottom: 26, outerBoundsMode: 'none' },
      xAxis: {
        type: 'category',
        data: Array.from({ length: total }, (_, place) => place),
        axisLabel: { show: false },
        axisTick: { show: false },
        axisLine: { lineStyle: { color: 'var(--baseline)' } },
      },
      yAxis: {
        type: 'value',
        min: -stepsFor(extent.loss),
        max: stepsFor(extent.gain),
        interval,
        axisLabel: { ...axisText, formatter: (value: number) => short(value) },
        splitLine: { lineStyle: { color: 'var(--line)' } },
      },
      series: [
        {
          type: 'bar',
          barCategoryGap: total > 120 ? '0%' : '20%',
          data: bars.map((group, index) => ({
            value: [index < gains.length ? index : index + tiePlaces, meanDifference(group)],
            itemStyle: { color: index < gains.length ? 'var(--better)' : 'var(--worse)' },
          })),
        },
        headings(input, (gains.length + tiePlaces / 2) / total),
      ],
    },
    tooltip: (series, bar) => (series === 0 ? describe(bars[bar]!, metric) : undefined),
  }
}

/**
 * The numbers of gains (top left), ties (above their gap) and losses (bottom right). `gap` is the middle of the ties' gap,
 * as a fraction of the width.
 */
function headings(
  { width, height, versusBaseline: { wins, ties, losses } }: DifferencePlotInput,
  gap: number,
): CustomSeriesOption {
  // Keep the heading of the ties clear of the left heading and inside the plot.
  const middle = Math.min(width - 50, Math.max(axisWidth + 160, axisWidth + (width - axisWidth) * gap))
  const texts = [
    { text: `▲ ${whole(wins)} better`, x: axisWidth, y: 10, align: 'left', color: 'var(--better-text)' },
    { text: `${whole(ties)} alike`, x: middle, y: 10, align: 'center', color: 'var(--soft)' },
    {
      text: `▼ ${whole(losses)} worse`,
      x: width,
      y: height - 10,
      align: 'right',
      color: 'var(--worse-text)',
    },
  ] as const
  return {
    type: 'custom',
    silent: true,
    data: texts.map((_, index) => [index, 0]),
    renderItem({ dataIndex }) {
      const { text, x, y, align, color } = texts[dataIndex]!
      return {
        type: 'text',
        style: {
          text,
          x,
          y,
          align,
          verticalAlign: 'middle',
          fill: color,
          fontSize: 13,
          fontWeight: 600,
          fontFamily: 'inherit',
        },
      }
    },
  }
}

function groups(changes: readonly Change[], size: number): (readonly Change[])[] {
  return Array.from({ length: Math.ceil(changes.length / size) }, (_, index) =>
    changes.slice(index * size, (index + 1) * size),
  )
}

function meanDifference(group: readonly Change[]): number {
  return group.reduce((sum, { difference }) => sum + difference, 0) / group.length
}

function describe(group: readonly Change[], metric: string): string {
  const [first] = group
  if (group.length > 1)
    return `${group.length} queries, on average ${signed(meanDifference(group))} ${metric}`
  const { text, baseline, value, difference } = first!
  return `${text}\n${metric} ${decimal(baseline)} → ${decimal(value)} (${signed(difference)})`
}

function short(value: number): string {
  return value === 0 ? '0' : signed(value).replace(/0+$/, '').replace(/\.$/, '')
}
