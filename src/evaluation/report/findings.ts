/** States the findings of a comparison in sentences. Differences that may be chance are never called gains or losses. */
import type { Comparison, Difference, SystemComparison, Verdict } from '../comparison.ts'
import { judgedWarnings } from '../judged-share.ts'
import { type Html, html } from './html.ts'
import { outcomeCounts, stagesAt, wasSearched } from './parts.ts'
import {
  count,
  decimal,
  duration,
  milliseconds,
  pEquals,
  percent,
  signed,
  systemName,
  whole,
} from './words.ts'

/** The largest number of systems beside the baseline that get a sentence each. */
const fewSystems = 3

export const named = (name: string): Html => html`<span class="name">${systemName(name)}</span>`

/** `a`, `a and b`, `a, b and c`. */
function enumerated(parts: readonly (Html | string)[]): Html {
  const before = (at: number): string => (at === 0 ? '' : at === parts.length - 1 ? ' and ' : ', ')
  return html`${parts.map((part, at) => html`${before(at)}${part}`)}`
}

/** What the report opens with: of one system, how many questions find more and less; of several, a summary and a line each. */
export function opening(comparison: Comparison): { readonly title: Html; readonly lead: readonly Html[] } {
  const [baseline, ...others] = comparison.systems
  const summary = html`${headline(comparison)}.`
  if (others.length === 1)
    return {
      title: html`${countsOf(others[0]!)}`,
      lead: [html`${wasSearched(comparison) && html`${medians(others[0]!, baseline!)} `}${summary}`],
    }
  const lines = others.slice(0, fewSystems).map((system) => html`${named(system.name)}: ${countsOf(system)}.`)
  return { title: headline(comparison), lead: others.length > fewSystems ? [] : lines }
}

/** `13 of 36 questions find more in their first five, none less`, by the first metric. */
function countsOf({ scores: [score] }: SystemComparison): string {
  const { metric, queries, versusBaseline } = score!
  const { wins, losses } = versusBaseline!
  const cutoff = /^(?:recall|success|hits|hit_rate)@(\d+)$/.exec(metric)?.[1]
  const all = count(queries, 'question')
  const place = cutoff === undefined ? `in ${metric}` : `in their first ${numerals[Number(cutoff)] ?? cutoff}`
  if (wins + losses === 0)
    return `${all} ${cutoff === undefined ? 'do as well' : 'find as many'} ${place} as before`
  const [more, less] = cutoff === undefined ? ['better', 'worse'] : ['more', 'less']
  const some = (changed: number): string => {
    const verb = cutoff === undefined ? (changed === 1 ? 'does' : 'do') : changed === 1 ? 'finds' : 'find'
    return `${whole(changed)} of ${all} ${verb}`
  }
  if (wins === 0) return `${some(losses)} ${less} ${place}, none ${more}`
  return `${some(wins)} ${more} ${place}, ${losses === 0 ? 'none' : whole(losses)} ${less}`
}

const numerals = ['', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']

const medians = (
  { summary: { latency_ms: own } }: SystemComparison,
  { summary: { latency_ms: before } }: SystemComparison,
): Html =>
  html`Half of the searches take ${milliseconds(own.total.p50)} instead of ${duration(before.total.p50)}.`

/** Summarizes the comparison in one line. */
function headline({ metrics, systems }: Comparison): Html {
  const [baseline, ...others] = systems
  if (others.length === 1) return headlineOfOne(others[0]!, baseline!.name, metrics)
  const than = named(baseline!.name)
  const has = ({ scores }: SystemComparison, verdict: Verdict): boolean =>
    scores.some(({ versusBaseline }) => versusBaseline?.verdict === verdict)
  const countOf = (isBetter: boolean, isWorse: boolean): number =>
    others.filter((system) => has(system, 'better') === isBetter && has(system, 'worse') === isWorse).length
  const [better, worse, mixed] = [countOf(true, false), countOf(false, true), countOf(true, true)]
  if (better + worse + mixed === 0)
    return html`Not one of ${others.length} systems differs significantly from ${than}`
  const everyone = others.length === 2 ? 'Both systems' : `All ${others.length} systems`
  if (better === others.length) return html`${everyone} score higher than ${than}`
  if (worse === others.length) return html`${everyone} score lower than ${than}`
  const parts = [
    ...(better > 0 ? [`${better} ${better === 1 ? 'scores' : 'score'} higher`] : []),
    ...(worse > 0 ? [`${worse} ${worse === 1 ? 'scores' : 'score'} lower`] : []),
    ...(mixed > 0 ? [`${mixed} higher in some metrics and lower in others`] : []),
  ]
  return html`Of ${others.length} systems, ${enumerated(parts)} than ${than}`
}

function headlineOfOne({ name, scores }: SystemComparison, baseline: string, metrics: readonly string[]) {
  const [system, other] = [named(name), named(baseline)]
  const inMetrics = (verdict: Verdict): Html | undefined => {
    const found = scores.flatMap((one) => (one.versusBaseline?.verdict === verdict ? [one.metric] : []))
    if (found.length === 0) return undefined
    return found.length === metrics.length && metrics.length > 1 ? html`every metric` : enumerated(found)
  }
  const [higher, lower] = [inMetrics('better'), inMetrics('worse')]
  if (higher)
    return html`${system} scores higher than ${other} in ${higher}${lower && html`, and lower in ${lower}`}`
  return lower
    ? html`${system} scores lower than ${other} in ${lower}`
    : html`No significant difference between ${system} and ${other}`
}

/** The findings in one metric. */
export function metricFinding({ systems }: Comparison, metric: number): Html {
  const [{ name: baseline } = { name: '' }, ...others] = systems
  const differences = others.map(({ name, scores }) => ({ name, versus: scores[metric]!.versusBaseline! }))
  if (others.length <= fewSystems)
    return html`${differences.map(({ name, versus }) => html`<p>${differenceFinding(name, baseline, versus)}</p>`)}`
  const sentence = (before: string, verdict: Verdict): Html | false => {
    const names = differences
      .filter(({ versus }) => versus.verdict === verdict)
      .map(({ name }) => named(name))
    return names.length > 0 && html`<p>${before}: ${enumerated(names)}.</p>`
  }
  return html`${[
    sentence(`Significantly better than ${systemName(baseline)}`, 'better'),
    sentence('Significantly worse', 'worse'),
    sentence('No significant difference', 'unclear'),
  ]}`
}

/** One difference, with its interval and p-value. */
function differenceFinding(name: string, baseline: string, versus: Difference): Html {
  const { mean, low, high, pHolm, verdict } = versus
  const evidence = `95\u00a0% interval ${signed(low)} to ${signed(high)}; ${pEquals(pHolm)}`
  if (verdict === 'unclear') {
    return html`No significant difference between ${named(name)} and ${named(baseline)}: ${signed(mean)} (${evidence}).`
  }
  return html`${named(name)} is <b class="${verdict}">${verdict}</b> than ${named(baseline)} by ${decimal(Math.abs(mean))} (${evidence}).`
}

/** Numbers of queries that do better, worse and alike with one system. */
export const queriesFinding = (name: string, baseline: string, { wins, ties, losses }: Difference): Html =>
  html`With ${named(name)}, ${count(wins, 'query does', 'queries do')} better than with ${named(baseline)}, ${count(losses, 'query does', 'queries do')} worse, and ${count(ties, 'stays', 'stay')} alike.`

/** The shares of queries that were split, rewritten or searched unchanged. */
export function decisionFinding(systems: readonly SystemComparison[]): Html {
  const deciding = systems.filter(
    ({ summary }) => summary.decisions['as-is'] - summary.failures < summary.queries - summary.errors,
  )
  if (deciding.length === 0) return html`<p>Every query was searched unchanged.</p>`
  if (deciding.length > fewSystems) {
    const shares = deciding.map(
      ({ summary: { decisions, queries } }) => (decisions.rewrite + decisions.decompose) / queries,
    )
    return html`<p>${deciding.length} of ${systems.length} systems search in other words than the user's: between ${percent(Math.min(...shares))} and ${percent(Math.max(...shares))} of the queries.</p>`
  }
  return html`${deciding.map((system) => {
    const { queries } = system.summary
    const counts = outcomeCounts(system)
    const fellBack =
      counts.fallback > 0 ? `; ${percent(counts.fallback / queries)} show the results without Querent` : ''
    return html`<p>${named(system.name)} splits ${percent(counts.decompose / queries)} of the queries, rewrites ${percent(counts.rewrite / queries)} and leaves ${percent(counts['as-is'] / queries)} unchanged${fellBack}.</p>`
  })}`
}

/** The median latency of the fastest and the slowest system. */
export function latencyFinding({ systems, queries }: Comparison): Html {
  const medians = systems
    .map(({ name, summary }, index) => ({ name, index, ms: summary.latency_ms.total.p50 }))
    .sort((a, b) => a.ms - b.ms)
  const [fastest, slowest] = [medians[0]!, medians.at(-1)!]
  const within = milliseconds(slowest.ms)
  if (milliseconds(fastest.ms) === within)
    return html`<p>Half of the searches are done within ${within} with every system.</p>`
  const results = queries.map((query) => query.results[slowest.index]!)
  const deciding = slowest.ms === 0 ? 0 : (stagesAt(results, 0.5)?.deciding ?? 0) / slowest.ms
  const waiting = deciding > 0.005 ? `, ${percent(deciding)} of it spent waiting for the decision` : ''
  return html`<p>Half of the searches are done within ${milliseconds(fastest.ms)} with ${named(fastest.name)}, the fastest, and within ${within} with ${named(slowest.name)}, the slowest${waiting}.</p>`
}

/** Unequal shares of judged hits, fallbacks, failed searches and failed re-rankings, which the means do not show. */
export function troubles(comparison: Comparison): readonly Html[] {
  const some = (part: number, all: number): string => (part === all ? 'every one' : whole(part))
  const failed = comparison.systems.flatMap(({ name, summary }) => {
    const { queries, failures, errors, rerankings, failedRerankings } = summary
    const ofQueries = count(queries, 'query', 'queries')
    const sentences = [
      failures > 0 && `${some(failures, queries)} of ${ofQueries} show the results without Querent.`,
      errors > 0 &&
        `${whole(errors)} of ${ofQueries} failed altogether and ${errors === 1 ? 'counts' : 'count'} as having found nothing.`,
      failedRerankings > 0 &&
        `${some(failedRerankings, rerankings)} of ${count(rerankings, 're-ranking')} failed, and the fused order was kept.`,
    ]
    return sentences.flatMap((sentence) => (sentence === false ? [] : [html`${named(name)}: ${sentence}`]))
  })
  return [...judgedWarnings(comparison).map((warning) => html`${warning}`), ...failed]
}
