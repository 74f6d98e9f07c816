/** What queries and searches of a report are divided into: what became of them, and what they wait for. */
import { quantile } from '../../learn/statistics.ts'
import type { Comparison, QueryResult, SystemComparison } from '../comparison.ts'

/** The possible outcomes of a query, in the order of the bar. `onto`: the color of text on the bar. */
export const outcomes = {
  'as-is': { label: 'unchanged', color: 'var(--as-is)', onto: 'var(--on-as-is)' },
  rewrite: { label: 'rewritten', color: 'var(--rewrite)', onto: 'var(--on-rewrite)' },
  decompose: { label: 'split', color: 'var(--decompose)', onto: 'var(--on-decompose)' },
  fallback: { label: 'fell back', color: 'var(--fallback)', onto: 'var(--on-fallback)' },
  error: { label: 'no result', color: 'var(--error)', onto: 'var(--on-error)' },
} as const

type OutcomeName = keyof typeof outcomes
export const outcomeNames = Object.keys(outcomes) as OutcomeName[]

/** Whether searches are compared, or runs, of which nothing but their hits is known. */
export const wasSearched = ({ systems }: Comparison): boolean =>
  systems.some(
    ({ summary: { decisions, errors } }) => errors > 0 || Object.values(decisions).some((of) => of > 0),
  )

/** Number of queries per outcome. The summary counts fallbacks as `as-is`; here they are separate. */
export function outcomeCounts({ summary }: SystemComparison): Readonly<Record<OutcomeName, number>> {
  const { decisions, failures, errors } = summary
  return { ...decisions, 'as-is': decisions['as-is'] - failures, fallback: failures, error: errors }
}

/** The stages of a search, in order. Retrieval that runs during the decision does not count: it adds no latency. */
export const stages = {
  deciding: { label: 'deciding', color: 'var(--deciding)' },
  searching: { label: 'searching', color: 'var(--searching)' },
  fusing: { label: 'fusing', color: 'var(--fusing)' },
  reranking: { label: 're-ranking', color: 'var(--reranking)' },
} as const

type Stages = Readonly<Record<keyof typeof stages, number>>
export const stageNames = Object.keys(stages) as (keyof Stages)[]

/**
 * The `q`-quantile of the total latency, divided into stages. The division is the average over the tenth of all searches
 * whose ranks are nearest to the quantile. Quantiles of single stages would not sum to the total. `undefined` if no search
 * has times.
 */
export function stagesAt(results: readonly QueryResult[], q: number): Stages | undefined {
  const timed = results.flatMap((result) =>
    result.times === undefined ? [] : [{ total: result.times.total, parts: stagesOf(result) }],
  )
  if (timed.length === 0) return undefined
  timed.sort((a, b) => a.total - b.total)
  const near = Math.ceil(timed.length / 20)
  const place = Math.round((timed.length - 1) * q)
  const window = timed.slice(Math.max(0, place - near), place + near + 1)
  const whole = window.reduce((sum, { total }) => sum + total, 0)
  const length = quantile(
    timed.map(({ total }) => total),
    q,
  )
  const part = (stage: keyof Stages) =>
    whole > 0 ? (length * window.reduce((sum, { parts }) => sum + parts[stage], 0)) / whole : 0
  return {
    deciding: part('deciding'),
    searching: part('searching'),
    fusing: part('fusing'),
    reranking: part('reranking'),
  }
}

/** Divides the total latency of a search into stages. A search that fell back waited for a decision that did not arrive. */
function stagesOf({ times, fallback }: QueryResult): Stages {
  const { total, deciding, retrieving, fusing, reranking } = times!
  const rest = Math.max(0, total - fusing - reranking)
  const waited = deciding === 0 && fallback !== undefined ? rest - retrieving : deciding
  const decided = Math.min(rest, Math.max(0, waited))
  return { deciding: decided, searching: rest - decided, fusing, reranking }
}
