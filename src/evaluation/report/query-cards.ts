/** Shows which queries gained and lost: one card per system, with the most helped and the most hurt queries side by side, and all in a plot. */
import { shortened } from '../../text/cut.ts'
import { withoutRepeats } from '../../text/search-origin.ts'
import type { Comparison, Difference, QueryComparison, QueryResult } from '../comparison.ts'
import type { MovedDocument } from '../moved-documents.ts'
import type { Explainer } from './client.ts'
import { queriesFinding } from './findings.ts'
import { type Html, html } from './html.ts'
import { wasSearched } from './parts.ts'
import { type Axis, axisOf, percentOf, ticksOf } from './plot.ts'
import { count, decimal, signed, systemName, whole } from './words.ts'

/** Number of queries listed on each side. */
const namedQueries = 5

/** A query with a gain or a loss. */
interface Change {
  readonly text: string
  readonly baseline: number
  readonly value: number
  readonly difference: number
  readonly query: QueryComparison
  readonly result: QueryResult
}

/** One card per system other than the baseline, in the comparison's first metric. */
export function queryCards(comparison: Comparison, explainer: Explainer): readonly Html[] {
  const [baseline, ...others] = comparison.systems
  const changes = others.map((_, at) => changesOf(comparison, at + 1))
  const differences = changes.flat().map(({ difference }) => difference)
  const axis = axisOf(Math.min(0, ...differences), Math.max(0, ...differences), 4)
  return others.map(({ name, scores: [first] }, at) => {
    const versus = first!.versusBaseline!
    const list = listFor(at + 1, explainer, wasSearched(comparison))
    const helped = changes[at]!.slice(0, Math.min(versus.wins, namedQueries))
    const hurt = changes[at]!.slice(versus.wins).reverse().slice(0, namedQueries)
    // Beside nothing, a list takes both columns.
    const wide = hurt.length === 0 && html` class="wide"`
    return html`<figure class="card">
<h3>${systemName(name)}</h3>
<div class="extremes">
<div${wide}><h4 class="better">▲ Most helped</h4>${list(helped, 'No question was helped.')}</div>
<div${wide}><h4 class="worse">▼ Most hurt</h4>${list(hurt, 'No question was hurt.')}</div>
</div>
${differencePlot({ system: name, metric: first!.metric, changes: changes[at]!, versus, axis })}
<figcaption><p>${queriesFinding(name, baseline!.name, versus)}</p></figcaption>
</figure>
`
  })
}

/** The queries that gained or lost, from the largest gain to the largest loss. */
function changesOf({ queries, systems }: Comparison, system: number): Change[] {
  const { metric, versusBaseline } = systems[system]!.scores[0]!
  const { wins, losses } = versusBaseline!
  const all = queries.flatMap((query) => {
    const { qid, text = qid, results } = query
    const baseline = results[0]!.values[metric]
    const result = results[system]!
    if (baseline === undefined) return []
    const [value, difference] = [result.values[metric]!, result.differences![metric]!]
    return [{ text: shorten(text), baseline, value, difference, result, query }]
  })
  all.sort((a, b) => b.difference - a.difference)
  return [...all.slice(0, wins), ...all.slice(all.length - losses)]
}

/** Lists queries of a system with what became of them. */
function listFor(system: number, { link, titleOf }: Explainer, isSearched: boolean) {
  const item = ({ text, query, baseline, value, difference, result }: Change): Html => {
    const name = link(query, system)
    const words = name === undefined ? text : html`<a id="of-${name}" href="#${name}">${text}</a>`
    const { turns = 0 } = query
    const verdict = difference > 0 ? 'better' : 'worse'
    return html`<li><p class="query" dir="auto">${words}</p>${result.moved?.map((moved) => movedLine(moved, titleOf))}<p class="became">${decimal(baseline)} → ${decimal(value)} <b class="${verdict}">${signed(difference)}</b>${turns > 0 && ` · after ${count(turns, 'turn')}`}${isSearched && html` · ${decided(result)}`}</p></li>
`
  }
  return (changes: readonly Change[], none: string): Html =>
    changes.length === 0 ? html`<p class="note">${none}</p>` : html`<ol>${changes.map(item)}</ol>`
}

/** A relevant document that was gained or lost, and the document that stands, or stood, in its place. */
export function movedLine(
  { docid, before, now, instead }: MovedDocument,
  titleOf: Explainer['titleOf'],
): Html {
  const isGain = before === undefined || (now !== undefined && now < before)
  const [was, is] = [before === undefined ? 'not found' : `rank ${before}`, now ?? 'not found']
  const other =
    instead !== undefined &&
    html`, ${isGain ? 'where there was' : 'now there is'} <bdi>${shorten(titleOf(instead))}</bdi>`
  return html`<p class="moved"><span class="${isGain ? 'better' : 'worse'}">${isGain ? '▲' : '▼'}</span> <b><bdi>${shorten(titleOf(docid))}</bdi></b> ${was} → ${is}${other}</p>`
}

/** Describes the decision for the query: rewritten, split, unchanged, or failed. */
function decided({ kind, subQueries, fallback }: QueryResult): Html {
  if (kind === undefined) return html`the search failed`
  if (fallback !== undefined) return html`without Querent, since it failed (${fallback})`
  if (kind === 'as-is') return html`searched unchanged`
  const texts = subQueries.map(
    (text, index) => html`${index > 0 ? ' · ' : ''}<bdi>“${shorten(withoutRepeats(text))}”</bdi>`,
  )
  return html`${kind === 'rewrite' ? 'rewritten' : 'split'}: ${texts}`
}

const shorten = (text: string): string => shortened(text, 240)

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

/** The difference of every query to the baseline: gains on the left, losses on the right. */
function differencePlot({ system, metric, changes, versus, axis }: DifferencePlot): Html {
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
