/** Summarizes the traces and scores of an evaluation. `querent evaluate --json` prints the summary. */

import { mean, quantile } from '../learn/statistics.ts'
import { groupBy } from '../runtime/group-by.ts'
import type { DecisionKind, Times, Tokens } from '../types.ts'
import type { Scores } from './score.ts'
import type { TraceDigest } from './trace-digest.ts'

/** Median and 95th percentile in milliseconds. 0 if no search succeeded. */
export interface Percentiles {
  readonly p50: number
  readonly p95: number
}

export interface StrategyFigures {
  readonly queries: number
  readonly asks: number
  readonly metrics: Readonly<Record<string, number>>
}

export interface EvaluationSummary {
  /** Number of queries with judgments, all of which were searched. */
  readonly queries: number
  /** Metric name → mean over those queries; for metrics of answers, over the `answerable` ones. */
  readonly metrics: Readonly<Record<string, number>>
  /** Number of queries with accepted answers. Absent if answers were not measured. */
  readonly answerable?: number
  /** Number of searches per decision. */
  readonly decisions: Readonly<Record<DecisionKind, number>>
  /** Number of searches that sent nothing but the original query, as it was decided: those that fell back do not count. */
  readonly leftAlone: number
  /** Number of searches that sent one request to each retriever. Texts searched for re-ranking alone are a second one. */
  readonly oneRequest: number
  /**
   * Of a policy with several ways: the number of searches that took each, the mean of their prompts, and their mean of each metric.
   * Absent if no search took one.
   */
  readonly strategies?: Readonly<Record<string, StrategyFigures>>
  /** Number of legs searched: sub-queries × retrievers, plus the legs of the original queries. */
  readonly legs: number
  /** Number of sub-queries in all decisions. */
  readonly subQueries: number
  /** Number of requests to the retrievers after those of the original queries. */
  readonly rounds: number
  /** Number of prompts that a chat model was asked. */
  readonly asks: number
  readonly tokens: Tokens
  /** Dollars for chat models. Absent if no model with a price was asked. */
  readonly usd?: number
  readonly latency_ms: Readonly<Record<keyof Times, Percentiles>>
  /** Number of queries that fell back to the original query's results. Those results count in the metrics. */
  readonly failures: number
  /** Number of queries whose search failed. They count in the metrics with no hits. */
  readonly errors: number
  /** Number of searches whose hits were given to a re-ranker. */
  readonly rerankings: number
  /** Number of those whose re-ranker failed or was late. Their hits, in the fused order, count in the metrics. */
  readonly failedRerankings: number
}

/** Summarizes `traces` (one per successful search) and the scores of the searches. */
export function summarize(
  traces: readonly TraceDigest[],
  { qids, values, means }: Scores,
): EvaluationSummary {
  const kind = (wanted: DecisionKind): number => count(traces, (trace) => trace.kind === wanted)
  const percentiles = (part: keyof Times): Percentiles =>
    percentilesOf(traces.map(({ times }) => times[part]))
  const answerable = values.get('em')?.size
  return {
    queries: qids.length,
    metrics: Object.fromEntries(means),
    ...(answerable !== undefined && { answerable }),
    decisions: {
      'as-is': kind('as-is'),
      rewrite: kind('rewrite'),
      decompose: kind('decompose'),
    },
    leftAlone: count(
      traces,
      (trace) => trace.kind === 'as-is' && trace.rounds === 0 && trace.fallback === undefined,
    ),
    oneRequest: count(traces, (trace) => trace.rounds === 0),
    ...strategiesOf(traces, values),
    legs: sum(traces, (trace) => trace.legs),
    subQueries: sum(traces, (trace) => trace.subQueries.length),
    rounds: sum(traces, (trace) => trace.rounds),
    asks: sum(traces, (trace) => trace.asks),
    tokens: {
      prompt: sum(traces, (trace) => trace.tokens.prompt),
      completion: sum(traces, (trace) => trace.tokens.completion),
    },
    ...(traces.some(({ usd }) => usd !== undefined) && { usd: sum(traces, ({ usd = 0 }) => usd) }),
    latency_ms: {
      total: percentiles('total'),
      deciding: percentiles('deciding'),
      retrieving: percentiles('retrieving'),
      fusing: percentiles('fusing'),
      reranking: percentiles('reranking'),
    },
    failures: count(traces, (trace) => trace.fallback !== undefined),
    errors: qids.length - traces.length,
    rerankings: sum(traces, (trace) => trace.rerankings),
    failedRerankings: sum(traces, (trace) => trace.failedRerankings),
  }
}

export function percentilesOf(values: readonly number[]): Percentiles {
  const ascending = Float64Array.from(values).sort()
  return { p50: quantile(ascending, 0.5), p95: quantile(ascending, 0.95) }
}

/** The figures of each way, the most frequent first. */
function strategiesOf(
  traces: readonly TraceDigest[],
  values: Scores['values'],
): Pick<EvaluationSummary, 'strategies'> {
  const groups = groupBy(traces, ({ strategy }) => strategy)
  groups.delete(undefined)
  if (groups.size === 0) return {}
  const figures = [...groups]
    .sort(([, one], [, other]) => other.length - one.length)
    .map(([strategy, of]) => {
      const metrics = Array.from(values, ([name, ofQueries]) => {
        const known = of.flatMap(({ query: { qid = '' } }) => ofQueries.get(qid) ?? [])
        return known.length === 0 ? [] : [[name, mean(known)] as const]
      })
      return [
        strategy,
        {
          queries: of.length,
          asks: mean(of.map(({ asks }) => asks)),
          metrics: Object.fromEntries(metrics.flat()),
        },
      ] as const
    })
  return { strategies: Object.fromEntries(figures) }
}

function sum<Item>(items: readonly Item[], value: (item: Item) => number): number {
  return items.reduce((total, item) => total + value(item), 0)
}

function count<Item>(items: readonly Item[], wanted: (item: Item) => boolean): number {
  return items.filter(wanted).length
}
