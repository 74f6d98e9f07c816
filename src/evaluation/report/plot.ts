/**
 * Plots of plain HTML boxes with one row for each system or metric. Positions are shares of the width, and colors are variables of
 * the page, so one plot serves every screen, light and dark mode, and paper.
 */
import { type Html, html } from './html.ts'

/** The ends of an axis, and the distance of its grid lines. */
export interface Axis {
  readonly min: number
  readonly max: number
  readonly interval: number
}

/** A stretch of the axis that is filled. */
interface Bar {
  readonly from: number
  readonly to: number
  readonly color: string
  /** Shown when the reader points at it. */
  readonly title: string
  /** Stands inside of it. */
  readonly text?: Html | false
}

/** A row: its name and its figures above the bars, and what is drawn along the axis. */
interface Row {
  readonly name: string
  /** On the right, in this order. */
  readonly figures?: readonly Html[]
  readonly bars?: readonly Bar[]
  /** An interval, drawn as a line with two ends, and with a dot if it has a mean. */
  readonly interval?: {
    readonly low: number
    readonly high: number
    readonly mean?: number
    readonly color: string
  }
}

interface Plot {
  /** The text alternative. */
  readonly label: string
  readonly rows: readonly Row[]
  readonly axis: Axis
  /** The label of a grid line. Absent: the axis is not drawn. */
  readonly tick?: (value: number) => string
  /** A value with a line through all rows. */
  readonly line?: { readonly at: number; readonly kind: 'dotted' | 'solid' }
}

export function rowPlot({ label, rows, axis, tick, line }: Plot): Html {
  const left = (value: number): string => `left: ${percentOf(value, axis)}%`
  const across = (from: number, to: number): string =>
    `${left(from)}; width: ${Number((percentOf(to, axis) - percentOf(from, axis)).toFixed(3))}%`
  const ticks = tick === undefined ? [] : ticksOf(axis)
  return html`<div class="plot" role="img" aria-label="${label}">
<div class="rows">${ticks.map((value) => html`<i class="grid" style="${left(value)}"></i>`)}${rows.map(
    ({ name, figures = [], bars = [], interval }) => html`
<p class="row"><span class="of">${name}</span>${figures}</p><div class="track">${bars.map(
      ({ from, to, color, title, text }) =>
        html`<i class="bar" style="${across(from, to)}; background: ${color}" title="${title}">${text}</i>`,
    )}${
      interval &&
      html`<i class="interval" style="${across(interval.low, interval.high)}; color: ${interval.color}"></i>${
        interval.mean !== undefined &&
        html`<i class="dot" style="${left(interval.mean)}; background: ${interval.color}"></i>`
      }`
    }</div>`,
  )}${line && html`<i class="${line.kind} line" style="${left(line.at)}"></i>`}
</div>
${tick && html`<div class="axis">${ticks.map((value) => html`<span style="${left(value)}">${tick(value)}</span>`)}</div>`}
</div>
`
}

/** Where a value is on its axis, in percent. */
export const percentOf = (value: number, { min, max }: Axis): number =>
  Number(((100 * (value - min)) / (max - min)).toFixed(3))

/** The values of the grid lines. 0.6000000000000001 is 0.6. */
export const ticksOf = ({ min, max, interval }: Axis): number[] =>
  Array.from({ length: Math.round((max - min) / interval) + 1 }, (_, step) => rounded(min + step * interval))

/**
 * An axis between round numbers.
 *
 * @param lowest at most 0
 * @param highest at least 0
 * @param steps about how many grid lines it has
 */
export function axisOf(lowest: number, highest: number, steps: number): Axis {
  const interval = roundStep((highest - lowest) / steps)
  const last = Math.ceil(highest / interval - 1e-9)
  return {
    min: rounded(Math.floor(lowest / interval + 1e-9) * interval),
    max: rounded((lowest < 0 ? last : Math.max(1, last)) * interval),
    interval,
  }
}

const rounded = (value: number): number => Number(value.toPrecision(12)) + 0

/** The smallest 1, 2 or 5 times a power of ten that is at least `atLeast`. */
function roundStep(atLeast: number): number {
  if (!(atLeast > 0)) return 1
  const power = 10 ** Math.floor(Math.log10(atLeast))
  const factor = [1, 2, 5, 10].find((step) => step * power >= atLeast * (1 - 1e-9))!
  return Number((factor * power).toPrecision(1))
}
