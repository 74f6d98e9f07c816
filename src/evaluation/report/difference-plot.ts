/** Plots the difference of every query to the baseline: gains on the left, losses on the right. */
import type { Difference } from '../comparison.ts'
import { type Html, html } from './html.ts'
import { type Axis, percentOf, ticksOf } from './plot.ts'
import { count, decimal, signed, whole } from './words.ts'

/** A query with a gain or a loss. */
export interface Change {
  readonly text: string
  readonly baseline: number
  readonly value: number
  readonly difference: number
}

/** The largest number of bars that readers can distinguish. With more queries, neighbors share a bar. */
const maxBars = 480

interface DifferencePlot {
  readonly system: string
  readonly metric: string
  /** The queries with a difference, from the largest gain to the largest loss. */
  readonly changes: readonly Change[]
  readonly versus: Pick<Difference, 'wins' | 'ties' | 'losses'>
  /** From the largest loss to the largest gain of any system. All plots share it, so that readers can compare them. */
  readonly axis: Axis
}

export function differencePlot({ system, metric, changes, versus, axis }: DifferencePlot): Html {
  const { wins, ties, losses } = versus
  const size = Math.max(1, Math.ceil((wins + losses) / maxBars))
  const gains = groupsOf(changes.slice(0, wins), size)
  const drops = groupsOf(changes.slice(wins), size)
  const gap = Math.ceil(ties / size)
  const width = 100 / (gains.length + gap + drops.length)
  const zero = percentOf(0, axis)
  const bar = (group: readonly Change[], place: number): Html => {
    const end = percentOf(meanOf(group), axis)
    const box = {
      left: place * width,
      width: width * (width < 0.8 ? 1 : 0.8),
      bottom: Math.min(zero, end),
      height: Math.abs(end - zero),
    }
    const sides = Object.entries(box).map(([side, share]) => `${side}: ${Number(share.toFixed(3))}%`)
    const color = end > zero ? 'better' : 'worse'
    return html`<i style="${sides.join('; ')}; background: var(--${color})" title="${describe(group, metric)}"></i>`
  }
  const bars = [...gains.map(bar), ...drops.map((group, place) => bar(group, gains.length + gap + place))]
  return html`<div class="plot" role="img" aria-label="${system}, ${metric}: ${count(wins, 'query', 'queries')} better than the baseline, ${whole(ties)} alike, ${whole(losses)} worse">
<p class="row"><b class="better">▲ ${whole(wins)} better</b><span>${whole(ties)} alike</span><b class="worse">▼ ${whole(losses)} worse</b></p>
<div class="field">${ticksOf(axis).map((value) => {
    const at = `bottom: ${percentOf(value, axis)}%`
    return html`<i class="level" style="${at}"></i><span style="${at}">${short(value)}</span>`
  })}<div class="bars">${bars}</div></div>
</div>
`
}

const groupsOf = (changes: readonly Change[], size: number): (readonly Change[])[] =>
  Array.from({ length: Math.ceil(changes.length / size) }, (_, index) =>
    changes.slice(index * size, (index + 1) * size),
  )

const meanOf = (group: readonly Change[]): number =>
  group.reduce((sum, { difference }) => sum + difference, 0) / group.length

function describe(group: readonly Change[], metric: string): string {
  if (group.length > 1) return `${group.length} queries, on average ${signed(meanOf(group))} ${metric}`
  const { text, baseline, value, difference } = group[0]!
  return `${text}\n${metric} ${decimal(baseline)} → ${decimal(value)} (${signed(difference)})`
}

const short = (value: number): string =>
  value === 0 ? '0' : signed(value).replace(/0+$/, '').replace(/\.$/, '')
