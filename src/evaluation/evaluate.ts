/** Searches the judged queries of a collection and scores the results. The caller supplies the search function. */
import { count, parseConfig } from '../config.ts'
import { QuerentError, toError } from '../errors.ts'
import { runWorkers } from '../runtime/workers.ts'
import type { Hit, Qrels, Query, SearchResult } from '../types.ts'
import { type Answered, type Judge, scoreAnswers } from './answer-metrics.ts'
import type { Answers } from './answers.ts'
import { defaultMetrics } from './default-metrics.ts'
import { parseMetric } from './metrics.ts'
import { orderedWriter } from './ordered-writer.ts'
import { runHits } from './run-hits.ts'
import { checkDistinct, type Scores, scoreRun } from './score.ts'
import { type EvaluationSummary, summarize } from './summary.ts'
import { type TraceDigest, traceDigest } from './trace-digest.ts'

/** One search. It rejects if the search fails, and aborts with the signal. */
export type Search = (query: Query, options: { readonly signal?: AbortSignal }) => Promise<SearchResult>

export interface EvaluateOptions {
  /** Metric names, as `parseMetric` takes them. Default: recall@5, recall@100, ndcg@10, mrr@10 and map. */
  readonly metrics?: readonly string[]
  /**
   * The accepted answers of the queries. With them, the metrics of answers are computed, too: `em`, `answer_f1`, `answered` and
   * `cited_recall`, over the queries that have accepted answers. Default: answers are not measured.
   */
  readonly answers?: Answers
  /**
   * Judges each answer to a query with accepted answers, for the metric `judge`. A missing answer is not judged and counts as 0. If
   * it throws, the evaluation ends with that error. Default: answers are not judged.
   */
  readonly judge?: Judge
  /**
   * Number of hits requested per search. Default: 100. Metrics named in `metrics` with a deeper cut-off raise it:
   * `recall@1000` requests 1,000 hits.
   */
  readonly k?: number
  /** Number of concurrent searches. Default: 1. Only sequential searches measure latency correctly. */
  readonly concurrency?: number
  readonly signal?: AbortSignal
  /** Called after each search. */
  readonly onProgress?: (done: number, total: number) => void
  /**
   * Receives the complete result of each successful search, in the order of the queries. A result that arrives early waits
   * for the ones before it. If the callback throws, the evaluation ends with that error.
   */
  readonly onResult?: (result: SearchResult, qid: string) => void | Promise<void>
}

export interface Evaluation extends Scores {
  /** The judged queries, in order. */
  readonly queries: readonly Query[]
  /** The judgments. */
  readonly qrels: Qrels
  /** qid → hits (see `runHits`), for every searched query. A failed search has no hits. */
  readonly run: ReadonlyMap<string, readonly Hit[]>
  /** One digest per successful search, in the order of the queries. `onResult` receives the complete traces. */
  readonly traces: readonly TraceDigest[]
  /** The failed searches, in the order of the queries. */
  readonly errors: readonly { readonly qid: string; readonly error: Error }[]
  /** Number of queries without judgments. They were not searched. */
  readonly unjudged: number
  /** The judged qids that no query has. They were not searched. */
  readonly withoutQuery: readonly string[]
  readonly summary: EvaluationSummary
}

/**
 * Number of hits that an evaluation requests per search: `k`, or the deepest cut-off of the named metrics if that is larger.
 *
 * @throws QuerentError `bad-config` if `k` is not a positive integer or a metric does not exist
 */
export function hitsAsked(k = 100, metrics: readonly string[] = []): number {
  parseConfig(count, k, 'evaluate: k')
  return Math.max(k, ...metrics.map((metric) => parseMetric(metric).k ?? 0))
}

/**
 * Searches every query that has judgments and averages the metrics over these queries, as `trec_eval -c` does. A query whose
 * search failed counts with 0, and so does one whose hits have a docid twice, and a query without relevant documents. Judged qids that are not
 * in `queries` are left out, and listed in `withoutQuery`. All results are in the order of `queries`, whatever the concurrency.
 *
 * @throws QuerentError `bad-config` for a wrong option or if no query has judgments; `aborted` by the signal;
 * `retriever-failed` if every search failed (with the first error as its cause)
 */
export async function evaluate(
  search: Search,
  queries: readonly Query[],
  qrels: Qrels,
  options: EvaluateOptions = {},
): Promise<Evaluation> {
  const { metrics = defaultMetrics, concurrency = 1 } = options
  const k = hitsAsked(options.k, options.metrics)
  parseConfig(count, concurrency, 'evaluate: concurrency')
  const judged = queries.flatMap((query) =>
    query.qid !== undefined && qrels.has(query.qid) ? [{ ...query, qid: query.qid, k }] : [],
  )
  if (judged.length === 0) {
    throw new QuerentError('bad-config', `None of the queries (${queries.length}) is judged`, {
      remedy: 'Check that queries and judgments belong to the same collection and split.',
    })
  }

  const results = await searchAll(search, judged, { ...options, concurrency })
  const failed = results.flatMap(({ qid, error }) => (error === undefined ? [] : [{ qid, error }]))
  if (failed.length === results.length) {
    const cause = failed[0]!.error
    throw new QuerentError(
      'retriever-failed',
      `All searches (${failed.length}) failed, the first with: ${cause.message}`,
      { cause },
    )
  }
  const run = new Map(results.map(({ qid, hits = [] }) => [qid, hits]))
  const traces = results.flatMap(({ trace }) => (trace === undefined ? [] : [trace]))
  const ranked = scoreRun(run, qrels, metrics, [...run.keys()])
  const given = new Map(results.map(({ qid, answered = {} }) => [qid, answered]))
  const answered = scoreAnswers(given, options.answers ?? new Map(), qrels, ranked.qids, {
    isJudged: options.judge !== undefined,
  })
  const scores = {
    qids: ranked.qids,
    values: new Map([...ranked.values, ...answered.values]),
    means: new Map([...ranked.means, ...answered.means]),
  }
  return {
    ...scores,
    queries: queries.filter(({ qid }) => qid !== undefined && qrels.has(qid)),
    qrels,
    run,
    traces,
    errors: failed,
    unjudged: queries.length - judged.length,
    withoutQuery: withoutQuery(queries, qrels),
    summary: summarize(traces, scores),
  }
}

/** The judged qids that no query has. */
export function withoutQuery(queries: readonly Query[], qrels: Qrels): string[] {
  const asked = new Set(queries.map(({ qid }) => qid))
  return [...qrels.keys()].filter((qid) => !asked.has(qid))
}

/** The part of a search that stays in memory. Complete traces, with every hit of every leg, would need too much. */
interface Searched {
  readonly qid: string
  readonly hits?: readonly Hit[]
  readonly answered?: Answered
  readonly trace?: TraceDigest
  readonly error?: Error
}

async function searchAll(
  search: Search,
  queries: readonly (Query & { readonly qid: string })[],
  { concurrency, onProgress, onResult, ...options }: EvaluateOptions & { readonly concurrency: number },
): Promise<readonly Searched[]> {
  const results: Searched[] = new Array(queries.length)
  const deliver = orderedWriter<{ readonly qid: string; readonly result: SearchResult | undefined }>(
    ({ qid, result }) => result && onResult?.(result, qid),
  )
  const waiting = queries.entries()
  let done = 0

  // Workers share one iterator, so each query is searched once.
  async function work(signal: AbortSignal): Promise<void> {
    for (const [index, query] of waiting) {
      throwIfAborted(signal)
      const { qid } = query
      let result: SearchResult | undefined
      try {
        const found = await search(query, { signal })
        const hits = runHits(found)
        checkDistinct(hits, qid)
        results[index] = { qid, hits, trace: traceDigest(found.trace) }
        // Only now: what was found and cannot be scored is a failed search, whose answer counts no more than its hits do.
        result = found
      } catch (thrown) {
        throwIfAborted(signal)
        results[index] = { qid, error: toError(thrown) }
      }
      if (result?.answer !== undefined)
        results[index] = {
          ...results[index]!,
          answered: await answeredBy(result, query, { ...options, signal }),
        }
      await deliver(index, { qid, result })
      onProgress?.(++done, queries.length)
    }
  }
  await runWorkers(Math.min(concurrency, queries.length), options.signal, work)
  return results
}

async function answeredBy(
  { answer, citations }: SearchResult,
  { qid, text }: Query & { readonly qid: string },
  { answers, judge, signal }: EvaluateOptions & { readonly signal: AbortSignal },
): Promise<Answered> {
  const accepted = answers?.get(qid) ?? []
  const isJudged = judge !== undefined && accepted.length > 0 && answer !== undefined
  const judged = isJudged
    ? await judge({ question: text, answers: accepted, given: answer }, signal)
    : undefined
  return {
    ...(answer !== undefined && { answer }),
    ...(citations && { citations }),
    ...(judged !== undefined && { judged }),
  }
}

function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted)
    throw new QuerentError('aborted', 'The evaluation was aborted', { cause: signal.reason })
}
