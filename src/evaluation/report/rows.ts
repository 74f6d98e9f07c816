/** Shared layout of the plots with one row per system: the name above the bar, figures on the right, a plain axis. */
import type {
  CustomSeriesOption,
  GridComponentOption,
  XAXisComponentOption,
  YAXisComponentOption,
} from 'echarts'

/** The width of a plot, in pixels. Plots stand side by side on a desktop and stacked on a phone. */
export const plotWidth = 390
const rowHeight = 44
const lineHeight = 16
export const barHeight = 12
/** Pixels from the middle of a row to the middle of the text above its bar. */
const textAbove = 18

/** ECharts measures texts in a font that may differ from the reader's. This factor leaves room for a wider font. */
const narrowest = 0.85
/** An average letter of a name, in pixels, with room to spare: words are not divided. */
const widestLetter = 8

export const axisText = { color: 'var(--soft)', fontSize: 11 } as const

/** The plot uses the full width: texts stand above the bars, and only the axis labels need a margin. */
export const rowGrid = (bottom: number): GridComponentOption => ({
  left: 0,
  right: 0,
  top: 4,
  bottom,
  outerBoundsMode: 'none',
})

/** A category axis with rows from top to bottom. */
export function rowAxis(rows: number): YAXisComponentOption {
  return { type: 'category', inverse: true, show: false, data: Array.from({ length: rows }, (_, row) => row) }
}

/** An axis from 0 to a round number that is at least `highest`, with a grid line at each step. */
export function valueAxis(highest: number, format: (value: number) => string): XAXisComponentOption {
  const interval = roundStep(highest / 5)
  return {
    type: 'value',
    min: 0,
    // Round 0.6000000000000001 to 0.6, so the maximum matches the last label's position.
    max: Number((Math.max(1, Math.ceil(highest / interval - 1e-9)) * interval).toPrecision(12)),
    interval,
    splitLine: { lineStyle: { color: 'var(--line)', width: 1 } },
    axisLabel: { ...axisText, formatter: format, alignMinLabel: 'left', alignMaxLabel: 'right' },
  }
}

/** The smallest 1, 2 or 5 times a power of ten that is at least `atLeast`. */
export function roundStep(atLeast: number): number {
  if (!(atLeast > 0)) return 1
  const power = 10 ** Math.floor(Math.log10(atLeast))
  const factor = [1, 2, 5, 10].find((step) => step * power >= atLeast * (1 - 1e-9))!
  return Number((factor * power).toPrecision(1))
}

/** A part of a stacked bar. For 0, returns ECharts' mark for no datum, so that no zero-width bar is drawn. */
export function barOf(value: number): number | '-' {
  return value > 0 ? value : '-'
}

/** A text in the line above a row's bar. */
interface RowText {
  readonly row: number
  readonly text: string
  readonly color: string
  readonly bold?: boolean
  /** Distance in pixels between the text's end and the plot's right edge. Absent: the text begins at the left edge. */
  readonly right?: number
  /** Longer texts are broken into lines: see `linesOf`. */
  readonly width?: number
}

/** The height of a row that has room for the longest of its texts above its bar. The bar is in the middle. */
export function heightFor(texts: readonly string[], width: number): number {
  const longest = Math.max(...texts.map((text) => Array.from(text).length))
  const lines = Math.ceil((longest * widestLetter) / (width * narrowest))
  return rowHeight + 2 * lineHeight * Math.max(0, lines - 1)
}

/** Draws the texts above the bars. */
export function rowTexts(texts: readonly RowText[]): CustomSeriesOption {
  return {
    type: 'custom',
    silent: true,
    z: 4,
    data: texts.map(({ row }) => [0, row]),
    renderItem(parameters, api) {
      const { text, color, bold = false, right, width } = texts[parameters.dataIndex]!
      return {
        type: 'text',
        style: {
          text,
          fill: color,
          // A halo keeps the lines of the plot from crossing the text.
          stroke: 'var(--card)',
          lineWidth: 4,
          x: right === undefined ? 0 : plotWidth - right,
          // Several lines grow upward.
          y: api.coord([0, api.value(1)])[1]! - textAbove + lineHeight / 2,
          align: right === undefined ? 'left' : 'right',
          verticalAlign: 'bottom',
          fontFamily: 'inherit',
          fontSize: 13,
          fontWeight: bold ? 600 : 400,
          lineHeight,
          ...(width !== undefined && { width: width * narrowest, overflow: 'break' }),
        },
      }
    },
  }
}
