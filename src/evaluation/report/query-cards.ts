/** Shows which queries gained and lost: one card per system, with the most helped and the most hurt queries side by side. */
import { shortened } from '../../text/cut.ts'
import { withoutRepeats } from '../../text/search-origin.ts'
import type { Comparison, QueryComparison, QueryResult } from '../comparison.ts'
import type { MovedDocument } from '../moved-documents.ts'
import type { Explainer } from './client.ts'
import { type Change, differencePlot } from './difference-plot.ts'
import { queriesFinding } from './findings.ts'
import { type Html, html } from './html.ts'
import { wasSearched } from './parts.ts'
import { axisOf } from './plot.ts'
import { count, decimal, signed, systemName } from './words.ts'

/** Number of queries listed on each side. */
const namedQueries = 5

interface QueryChange extends Change {
  readonly query: QueryComparison
  readonly result: QueryResult
}

/** One card per system other than the baseline, in the comparison's first metric. */
export function queryCards(comparison: Comparison, explainer: Explainer): readonly Html[] {
  const metric = comparison.metrics[0]!
  const changes = comparison.systems.map((_, system) => changesOf(comparison, metric, system))
  const differences = changes.flat().map(({ difference }) => difference)
  const axis = axisOf(Math.min(0, ...differences), Math.max(0, ...differences), 4)
  return comparison.systems.slice(1).map(({ name, scores }, index) => {
    const versus = scores[0]!.versusBaseline!
    const ofSystem = changes[index + 1]!
    const list = listFor(index + 1, explainer, wasSearched(comparison))
    const hurt = ofSystem.slice(versus.wins).reverse().slice(0, namedQueries)
    return html`<figure class="card">
<h3>${systemName(name)}</h3>
<div class="extremes">
<div${hurt.length === 0 ? wide : undefined}><h4 class="better">▲ Most helped</h4>${list(ofSystem.slice(0, Math.min(versus.wins, namedQueries)), 'No question was helped.')}</div>
<div${hurt.length === 0 ? wide : undefined}><h4 class="worse">▼ Most hurt</h4>${list(hurt, 'No question was hurt.')}</div>
</div>
${differencePlot({ system: name, metric, changes: ofSystem, versus, axis })}
<figcaption><p>${queriesFinding(name, comparison.systems[0]!.name, versus)}</p></figcaption>
</figure>
`
  })
}

/** Beside nothing, a list takes both columns. */
const wide: Html = { markup: ' class="wide"' }

/** The queries that gained or lost, from the largest gain to the largest loss. */
function changesOf({ queries, systems }: Comparison, metric: string, system: number): QueryChange[] {
  const versus = systems[system]!.scores.find((score) => score.metric === metric)!.versusBaseline
  if (versus === undefined) return []
  const all = queries
    .filter(({ results }) => results[0]!.values[metric] !== undefined)
    .map((query) => {
      const { qid, text, results } = query
      const result = results[system]!
      return {
        text: shorten(text ?? qid),
        baseline: results[0]!.values[metric]!,
        value: result.values[metric]!,
        difference: result.differences![metric]!,
        result,
        query,
      }
    })
    .sort((a, b) => b.difference - a.difference)
  return [...all.slice(0, versus.wins), ...all.slice(all.length - versus.losses)]
}

/** Lists queries of a system with what became of them. */
function listFor(system: number, { link, titleOf }: Explainer, isSearched: boolean) {
  const item = ({ text, query, baseline, value, difference, result }: QueryChange): Html => {
    const name = link(query, system)
    const words = name === undefined ? text : html`<a id="of-${name}" href="#${name}">${text}</a>`
    const { turns = 0 } = query
    const verdict = difference > 0 ? 'better' : 'worse'
    return html`<li><p class="query" dir="auto">${words}</p>${result.moved?.map((moved) => movedLine(moved, titleOf))}<p class="became">${decimal(baseline)} → ${decimal(value)} <b class="${verdict}">${signed(difference)}</b>${turns > 0 && ` · after ${count(turns, 'turn')}`}${isSearched && html` · ${decided(result)}`}</p></li>
`
  }
  return (changes: readonly QueryChange[], none: string): Html =>
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
