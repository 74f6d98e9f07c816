/** States the findings of a comparison in sentences. Differences that may be chance are never called gains or losses. */
import type { Comparison, Difference, SystemComparison, Verdict } from '../comparison.ts'
import { judgedWarnings } from '../judged-share.ts'
import { type Html, html } from './html.ts'
import { outcomeCounts, stagesAt, wasSearched } from './parts.ts'
import {
  count,
  decimal,
  duration,
  enumerate,
  milliseconds,
  pEquals,
  percent,
  signed,
  systemName,
  whole,
} from './words.ts'

/** The largest number of systems beside the baseline that get a sentence each. */
const fewSystems = 3

export function named(name: string): Html {
  return html`<span class="name">${systemName(name)}</span>`
}

/** Formats names as `a`, `b` and `c`. */
function namedAll(names: readonly string[]): Html {
  const all = names.map((name, index) => {
    const before = index === 0 ? '' : index === names.length - 1 ? ' and ' : ', '
    return html`${before}${named(name)}`
  })
  return html`${all}`
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
  const better = others.filter((system) => has(system, 'better') && !has(system, 'worse')).length
  const worse = others.filter((system) => has(system, 'worse') && !has(system, 'better')).length
  const mixed = others.filter((system) => has(system, 'worse') && has(system, 'better')).length
  if (better + worse + mixed === 0) {
    return html`Not one of ${others.length} systems differs significantly from ${named(baseline!.name)}`
  }
  const everyone = others.length === 2 ? 'Both systems' : `All ${others.length} systems`
  if (better === others.length) return html`${everyone} score higher than ${named(baseline!.name)}`
  if (worse === others.length) return html`${everyone} score lower than ${named(baseline!.name)}`
  const parts = [
    ...(better > 0 ? [`${better} ${better === 1 ? 'scores' : 'score'} higher`] : []),
    ...(worse > 0 ? [`${worse} ${worse === 1 ? 'scores' : 'score'} lower`] : []),
    ...(mixed > 0 ? [`${mixed} higher in some metrics and lower in others`] : []),
  ]
  return html`Of ${others.length} systems, ${enumerate(parts)} than ${named(baseline!.name)}`
}

function headlineOfOne(system: SystemComparison, baseline: string, metrics: readonly string[]): Html {
  const inMetrics = (verdict: Verdict): string => {
    const found = system.scores.filter(({ versusBaseline }) => versusBaseline?.verdict === verdict)
    return found.length === metrics.length && metrics.length > 1
      ? 'every metric'
      : enumerate(found.map(({ metric }) => metric))
  }
  const [higher, lower] = [inMetrics('better'), inMetrics('worse')]
  if (higher === '' && lower === '') {
    return html`No significant difference between ${named(system.name)} and ${named(baseline)}`
  }
  if (higher === '') return html`${named(system.name)} scores lower than ${named(baseline)} in ${lower}`
  return html`${named(system.name)} scores higher than ${named(baseline)} in ${higher}${lower === '' ? '' : `, and lower in ${lower}`}`
}

function has({ scores }: SystemComparison, verdict: Verdict): boolean {
  return scores.some(({ versusBaseline }) => versusBaseline?.verdict === verdict)
}

/** The findings in one metric. */
export function metricFinding({ systems }: Comparison, metric: number): Html {
  const [baseline, ...others] = systems
  if (others.length <= fewSystems) {
    return html`${others.map(
      ({ name, scores }) =>
        html`<p>${differenceFinding(name, baseline!.name, scores[metric]!.versusBaseline!)}</p>`,
    )}`
  }
  const withVerdict = (verdict: Verdict): readonly string[] =>
    others.filter(({ scores }) => scores[metric]!.versusBaseline!.verdict === verdict).map(({ name }) => name)
  const sentence = (before: string, names: readonly string[]): Html | undefined =>
    names.length === 0 ? undefined : html`<p>${before}: ${namedAll(names)}.</p>`
  return html`${sentence(`Significantly better than ${systemName(baseline!.name)}`, withVerdict('better'))}${sentence(
    'Significantly worse',
    withVerdict('worse'),
  )}${sentence('No significant difference', withVerdict('unclear'))}`
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
export function queriesFinding(name: string, baseline: string, { wins, ties, losses }: Difference): Html {
  return html`With ${named(name)}, ${count(wins, 'query does', 'queries do')} better than with ${named(baseline)}, ${count(losses, 'query does', 'queries do')} worse, and ${count(ties, 'stays', 'stay')} alike.`
}

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
  const medians = systems.map(({ name, summary }, index) => ({
    name,
    index,
    ms: summary.latency_ms.total.p50,
  }))
  medians.sort((a, b) => a.ms - b.ms)
  const [fastest, slowest] = [medians[0]!, medians.at(-1)!]
  if (milliseconds(fastest.ms) === milliseconds(slowest.ms)) {
    return html`<p>Half of the searches are done within ${milliseconds(slowest.ms)} with every system.</p>`
  }
  const parts = stagesAt(
    queries.map(({ results }) => results[slowest.index]!),
    0.5,
  )
  const deciding = parts === undefined || slowest.ms === 0 ? 0 : parts.deciding / slowest.ms
  const waiting = deciding > 0.005 ? `, ${percent(deciding)} of it spent waiting for the decision` : ''
  return html`<p>Half of the searches are done within ${milliseconds(fastest.ms)} with ${named(fastest.name)}, the fastest, and within ${milliseconds(slowest.ms)} with ${named(slowest.name)}, the slowest${waiting}.</p>`
}

/** Unequal shares of judged hits, fallbacks, failed searches and failed re-rankings, which the means do not show. */
export function troubles(comparison: Comparison): readonly Html[] {
  const { systems } = comparison
  const some = (part: number, all: number): string => (part === all ? 'every one' : whole(part))
  const failed = systems.flatMap(
    ({ name, summary: { queries, failures, errors, rerankings, failedRerankings } }) => {
      const ofQueries = count(queries, 'query', 'queries')
      const sentences = [
        failures > 0 && html`${some(failures, queries)} of ${ofQueries} show the results without Querent.`,
        errors > 0 &&
          html`${whole(errors)} of ${ofQueries} failed altogether and ${errors === 1 ? 'counts' : 'count'} as having found nothing.`,
        failedRerankings > 0 &&
          html`${some(failedRerankings, rerankings)} of ${count(rerankings, 're-ranking')} failed, and the fused order was kept.`,
      ]
      return sentences.flatMap((sentence) => (sentence === false ? [] : [html`${named(name)}: ${sentence}`]))
    },
  )
  return [...judgedWarnings(comparison).map((warning) => html`${warning}`), ...failed]
}
