/** What queries and searches of a report are divided into: what became of them, and what they wait for. */
import { quantile } from '../../learn/statistics.ts'
import type { Comparison, QueryResult, SystemComparison } from '../comparison.ts'

/** The possible outcomes of a query, in the order of the bar. They have colors of their names, and `on-…` for text on them. */
export const outcomes = {
  'as-is': 'unchanged',
  rewrite: 'rewritten',
  decompose: 'split',
  fallback: 'fell back',
  error: 'no result',
} as const

/** The stages of a search, in order. Retrieval that runs during the decision does not count: it adds no latency. */
export const stages = {
  deciding: 'deciding',
  searching: 'searching',
  fusing: 'fusing',
  reranking: 're-ranking',
} as const

/** How much each of some parts has: its share of the queries, or its milliseconds. */
type Amounts<Name extends string> = Readonly<Record<Name, number>>
type Stage = keyof typeof stages

/** The names of parts with their labels. */
export const entriesOf = <Name extends string>(labels: Readonly<Record<Name, string>>) =>
  Object.entries(labels) as [Name, string][]

/** Those that have something in one of several wholes. */
export const happened = <Name extends string>(
  labels: Readonly<Record<Name, string>>,
  wholes: readonly (Amounts<Name> | undefined)[],
) =>
  entriesOf(labels).filter(([name]) => wholes.some((amounts) => amounts !== undefined && amounts[name] > 0))

/** Whether searches are compared, or runs, of which nothing but their hits is known. */
export const wasSearched = ({ systems }: Comparison): boolean =>
  systems.some(
    ({ summary: { decisions, errors } }) => errors > 0 || Object.values(decisions).some((of) => of > 0),
  )

/** Number of queries per outcome. The summary counts fallbacks as `as-is`; here they are separate. */
export function outcomeCounts({ summary }: SystemComparison): Amounts<keyof typeof outcomes> {
  const { decisions, failures, errors } = summary
  return { ...decisions, 'as-is': decisions['as-is'] - failures, fallback: failures, error: errors }
}

/**
 * The `q`-quantile of the total latency, divided into stages. The division is the average over the tenth of all searches
 * whose ranks are nearest to the quantile. Quantiles of single stages would not sum to the total. `undefined` if no search
 * has times.
 */
export function stagesAt(results: readonly QueryResult[], q: number): Amounts<Stage> | undefined {
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
  const part = (stage: Stage): number =>
    whole > 0 ? (length * window.reduce((sum, { parts }) => sum + parts[stage], 0)) / whole : 0
  const [deciding, searching, fusing] = [part('deciding'), part('searching'), part('fusing')]
  return { deciding, searching, fusing, reranking: part('reranking') }
}

/** Divides the total latency of a search into stages. A search that fell back waited for a decision that did not arrive. */
function stagesOf({ times, fallback }: QueryResult): Amounts<Stage> {
  const { total, deciding, retrieving, fusing, reranking } = times!
  const rest = Math.max(0, total - fusing - reranking)
  const waited = deciding === 0 && fallback !== undefined ? rest - retrieving : deciding
  const decided = Math.min(rest, Math.max(0, waited))
  return { deciding: decided, searching: rest - decided, fusing, reranking }
}
