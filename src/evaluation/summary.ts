/** What `querent evaluate --json` prints: the figures of an evaluation, from its traces and scores. */

import { quantile } from '../learn/statistics.ts'
import type { DecisionKind, Times, Tokens } from '../types.ts'
import type { Scores } from './score.ts'
import type { TraceDigest } from './trace-digest.ts'

/** Milliseconds: the median, and what 95 of 100 searches stayed below. 0 where nothing was searched. */
export interface Percentiles {
  readonly p50: number
  readonly p95: number
}

export interface EvaluationSummary {
  /** How many queries were judged and searched. */
  readonly queries: number
  /** Metric name → mean over those queries. */
  readonly metrics: Readonly<Record<string, number>>
  /** How many searches ended with which decision, and how many of them had a second stage. */
  readonly decisions: Readonly<Record<DecisionKind | 'secondStage', number>>
  /** How many legs were searched: sub-queries × retrievers, the original queries' included. */
  readonly legs: number
  /** How many sub-queries were decided on. */
  readonly subQueries: number
  readonly tokens: Tokens
  readonly latency_ms: Readonly<Record<keyof Times, Percentiles>>
  /** How many queries fell back to the original query's results. They count in the metrics with those. */
  readonly failures: number
  /** How many queries have no results at all because their search failed. They count in the metrics with no hits. */
  readonly errors: number
}

/** The summary of `traces`, one a search that came back, and of the searches' scores. */
export function summarize(traces: readonly TraceDigest[], { qids, means }: Scores): EvaluationSummary {
  const kind = (wanted: DecisionKind): number => count(traces, (trace) => trace.kind === wanted)
  const percentiles = (part: keyof Times): Percentiles => {
    const ascending = Float64Array.from(traces, (trace) => trace.times[part]).sort()
    return { p50: quantile(ascending, 0.5), p95: quantile(ascending, 0.95) }
  }
  return {
    queries: qids.length,
    metrics: Object.fromEntries(means),
    decisions: {
      'as-is': kind('as-is'),
      rewrite: kind('rewrite'),
      decompose: kind('decompose'),
      secondStage: count(traces, (trace) => trace.secondStage),
    },
    legs: sum(traces, (trace) => trace.legs),
    subQueries: sum(traces, (trace) => trace.subQueries.length),
    tokens: {
      prompt: sum(traces, (trace) => trace.tokens.prompt),
      completion: sum(traces, (trace) => trace.tokens.completion),
    },
    latency_ms: {
      total: percentiles('total'),
      deciding: percentiles('deciding'),
      retrieving: percentiles('retrieving'),
      fusing: percentiles('fusing'),
      reranking: percentiles('reranking'),
    },
    failures: count(traces, (trace) => trace.fallback !== undefined),
    errors: qids.length - traces.length,
  }
}

function sum<Item>(items: readonly Item[], value: (item: Item) => number): number {
  return items.reduce((total, item) => total + value(item), 0)
}

function count<Item>(items: readonly Item[], wanted: (item: Item) => boolean): number {
  return items.filter(wanted).length
}
