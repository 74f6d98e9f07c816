/** What the plots with a row for each system have in common: the name above the bar, figures at its right, a quiet axis. */
import type {
  CustomSeriesOption,
  GridComponentOption,
  XAXisComponentOption,
  YAXisComponentOption,
} from 'echarts'

/** The pixels of plots that stand side by side on a desk and below each other on a phone. */
export const plotWidth = 390
export const rowHeight = 44
export const barHeight = 12
/** From the middle of a row up to the middle of the text above its bar. */
const textAbove = 18

/** Texts are measured with the widths of some font; those of the reader may be so much wider. */
const narrowest = 0.85

export const axisText = { color: 'var(--soft)', fontSize: 11 } as const

/** The whole width is the plot's: texts stand above the bars, and only the figures of the axis need a place. */
export const rowGrid = (bottom: number): GridComponentOption => ({
  left: 0,
  right: 0,
  top: 4,
  bottom,
  outerBoundsMode: 'none',
})

/** Rows from top to bottom. */
export function rowAxis(rows: number): YAXisComponentOption {
  return { type: 'category', inverse: true, show: false, data: Array.from({ length: rows }, (_, row) => row) }
}

/** From 0 to a round number not below `highest`, with a line at each step. */
export function valueAxis(highest: number, format: (value: number) => string): XAXisComponentOption {
  const interval = roundStep(highest / 5)
  return {
    type: 'value',
    min: 0,
    // Not 0.6000000000000001, which would be another place than that of the last label.
    max: Number((Math.max(1, Math.ceil(highest / interval - 1e-9)) * interval).toPrecision(12)),
    interval,
    splitLine: { lineStyle: { color: 'var(--line)', width: 1 } },
    axisLabel: { ...axisText, formatter: format, alignMinLabel: 'left', alignMaxLabel: 'right' },
  }
}

/** The next of 1, 2, 5, 10, 20, 50 … times a power of ten. */
export function roundStep(atLeast: number): number {
  if (!(atLeast > 0)) return 1
  const power = 10 ** Math.floor(Math.log10(atLeast))
  const factor = [1, 2, 5, 10].find((step) => step * power >= atLeast * (1 - 1e-9))!
  return Number((factor * power).toPrecision(1))
}

/** The part of a stacked bar; nothing at all, not a bar without width, for 0. */
export function barOf(value: number): number | '-' {
  return value > 0 ? value : '-'
}

/** A text in the line above a row's bar. */
interface RowText {
  readonly row: number
  readonly text: string
  readonly color: string
  readonly bold?: boolean
  /** Pixels from the plot's right edge, where the text ends. Absent: it begins at the left edge. */
  readonly right?: number
  /** Longer texts are cut off, with an ellipsis. */
  readonly width?: number
}

/** The texts above the bars. */
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
          // A halo, so that lines of the plot do not strike it through.
          stroke: 'var(--card)',
          lineWidth: 4,
          x: right === undefined ? 0 : plotWidth - right,
          y: api.coord([0, api.value(1)])[1]! - textAbove,
          align: right === undefined ? 'left' : 'right',
          verticalAlign: 'middle',
          fontFamily: 'inherit',
          fontSize: 13,
          fontWeight: bold ? 600 : 400,
          ...(width !== undefined && { width: width * narrowest, overflow: 'truncate' }),
        },
      }
    },
  }
}
