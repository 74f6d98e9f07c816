/** Searches the judged queries of a collection and judges what came back. Which search it is, is the caller's business. */
import { QuerentError, toError } from '../errors.ts'
import type { Hit, Qrels, Query, SearchResult } from '../types.ts'
import { defaultMetrics } from './default-metrics.ts'
import { parseMetric } from './metrics.ts'
import { orderedWriter } from './ordered-writer.ts'
import { runHits } from './run-hits.ts'
import { type Scores, scoreRun } from './score.ts'
import { type EvaluationSummary, summarize } from './summary.ts'
import { type TraceDigest, traceDigest } from './trace-digest.ts'

/** One search. It rejects where the query has no results at all, and aborts with the signal. */
export type Search = (query: Query, options: { readonly signal?: AbortSignal }) => Promise<SearchResult>

export interface EvaluateOptions {
  /** Names that `parseMetric` knows. Default: recall@5, recall@100, ndcg@10, mrr@10 and map. */
  readonly metrics?: readonly string[]
  /**
   * How many hits each search is asked for. Default: 100. A metric named in `metrics` that looks deeper raises it:
   * `recall@1000` asks for 1,000.
   */
  readonly k?: number
  /** How many searches run at a time. Default: 1, which alone gives latencies that mean something. */
  readonly concurrency?: number
  readonly signal?: AbortSignal
  /** Called after each search. */
  readonly onProgress?: (done: number, total: number) => void
  /**
   * Receives each search that came back, whole, in the order of the queries: one that overtook another waits for it. What
   * it throws ends the evaluation.
   */
  readonly onResult?: (result: SearchResult, qid: string) => void | Promise<void>
}

export interface Evaluation extends Scores {
  /** qid → hits as a run has them (`runHits`), for every query searched: no hits for one that failed. */
  readonly run: ReadonlyMap<string, readonly Hit[]>
  /** One a search that came back, in the order of the queries. `onResult` receives the whole traces. */
  readonly traces: readonly TraceDigest[]
  /** The searches that rejected, in the order of the queries. */
  readonly errors: readonly { readonly qid: string; readonly error: Error }[]
  /** How many of the queries given have no judgments, and were not searched. */
  readonly unjudged: number
  readonly summary: EvaluationSummary
}

/**
 * How many hits each search of an evaluation is asked for: `k`, or as many as the deepest of the named metrics looks at.
 *
 * @throws QuerentError `bad-config` where `k` is no count or there is no such metric
 */
export function hitsAsked(k = 100, metrics: readonly string[] = []): number {
  checkCount('k', k)
  return Math.max(k, ...metrics.map((metric) => parseMetric(metric).k ?? 0))
}

/**
 * Searches every query that has judgments and averages the metrics over all of them, as `trec_eval -c` does for these
 * queries: one whose search failed, and one without any relevant document, count with 0. Judged queries that are not among
 * `queries` are left out. All results are in the order of `queries`, whatever the concurrency.
 *
 * @throws QuerentError `bad-config` for a wrong option or where no query is judged, `aborted` by the signal,
 * `retriever-failed` where every search failed (with the first error as its cause)
 */
export async function evaluate(
  search: Search,
  queries: readonly Query[],
  qrels: Qrels,
  options: EvaluateOptions = {},
): Promise<Evaluation> {
  const { metrics = defaultMetrics, concurrency = 1 } = options
  const k = hitsAsked(options.k, options.metrics)
  checkCount('concurrency', concurrency)
  const judged = queries.flatMap((query) =>
    query.qid !== undefined && qrels.has(query.qid) ? [{ ...query, qid: query.qid, k }] : [],
  )
  if (judged.length === 0) {
    throw new QuerentError('bad-config', `None of the ${queries.length} queries is judged`, {
      remedy: 'Check that queries and judgments belong to the same collection and split.',
    })
  }

  const results = await searchAll(search, judged, { ...options, concurrency })
  const failed = results.flatMap(({ qid, error }) => (error === undefined ? [] : [{ qid, error }]))
  if (failed.length === results.length) {
    const cause = failed[0]!.error
    throw new QuerentError(
      'retriever-failed',
      `Every one of ${failed.length} searches failed, the first with: ${cause.message}`,
      { cause },
    )
  }
  const run = new Map(results.map(({ qid, hits = [] }) => [qid, hits]))
  const traces = results.flatMap(({ trace }) => (trace === undefined ? [] : [trace]))
  const scores = scoreRun(run, qrels, metrics, [...run.keys()])
  return {
    ...scores,
    run,
    traces,
    errors: failed,
    unjudged: queries.length - judged.length,
    summary: summarize(traces, scores),
  }
}

/** What stays of a search: traces with every hit of every leg would fill the memory. */
interface Searched {
  readonly qid: string
  readonly hits?: readonly Hit[]
  readonly trace?: TraceDigest
  readonly error?: Error
}

async function searchAll(
  search: Search,
  queries: readonly (Query & { readonly qid: string })[],
  { concurrency, signal, onProgress, onResult }: EvaluateOptions & { readonly concurrency: number },
): Promise<readonly Searched[]> {
  const results: Searched[] = new Array(queries.length)
  const tell = orderedWriter<{ readonly qid: string; readonly result: SearchResult | undefined }>(
    ({ qid, result }) => result && onResult?.(result, qid),
  )
  const waiting = queries.entries()
  let done = 0

  // Workers share one iterator, so that each query is taken once.
  async function work(): Promise<void> {
    for (const [index, query] of waiting) {
      throwIfAborted(signal)
      const { qid } = query
      let result: SearchResult | undefined
      try {
        result = await search(query, signal === undefined ? {} : { signal })
        results[index] = { qid, hits: runHits(result), trace: traceDigest(result.trace) }
      } catch (thrown) {
        throwIfAborted(signal)
        results[index] = { qid, error: toError(thrown) }
      }
      await tell(index, { qid, result })
      onProgress?.(++done, queries.length)
    }
  }
  await Promise.all(Array.from({ length: Math.min(concurrency, queries.length) }, work))
  return results
}

function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted)
    throw new QuerentError('aborted', 'The evaluation was aborted', { cause: signal.reason })
}

function checkCount(option: string, value: number): void {
  if (Number.isSafeInteger(value) && value >= 1) return
  throw new QuerentError('bad-config', `The option ${option} is ${value}`, {
    remedy: 'Use a whole number from 1.',
  })
}
