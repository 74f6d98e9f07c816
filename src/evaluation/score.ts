/** Computes metrics over a run: one value per query, and the means. */

import { QuerentError } from '../errors.ts'
import { mean } from '../learn/statistics.ts'
import type { Qrels, Run } from '../types.ts'
import type { Ranking } from './metrics/judgments.ts'
import { type Metric, parseMetric } from './metrics.ts'

export interface Scores {
  /** The scored queries, in order. */
  readonly qids: readonly string[]
  /** Metric name → qid → value. Metrics of answers have values for the queries with accepted answers only. */
  readonly values: ReadonlyMap<string, ReadonlyMap<string, number>>
  /** Metric name → mean over the queries that have a value. */
  readonly means: ReadonlyMap<string, number>
}

/**
 * Computes metrics for each of `qids`. Default: all judged queries, as `trec_eval -c` does. A query that is not in the run
 * counts with an empty ranking. Rankings are not sorted again.
 *
 * @throws QuerentError `bad-config` for a metric that does not exist; `bad-list` for a docid that is in a ranking twice
 */
export function scoreRun(
  run: Run,
  qrels: Qrels,
  metrics: readonly string[],
  qids: readonly string[] = [...qrels.keys()],
): Scores {
  const parsed = metrics.map(parseMetric)
  for (const qid of qids) checkDistinct(run.get(qid) ?? [], qid)
  const values = new Map(parsed.map((metric) => [metric.name, valuesOf(metric, run, qrels, qids)]))
  const means = new Map(Array.from(values, ([name, ofQueries]) => [name, mean(ofQueries.values())]))
  return { qids, values, means }
}

/** A document that counts twice makes a recall above 1. @throws QuerentError `bad-list` */
export function checkDistinct(ranking: Ranking, qid: string): void {
  const seen = new Set<string>()
  for (const { docid } of ranking) {
    if (seen.has(docid))
      throw new QuerentError('bad-list', `The hits of the query ${qid} have the docid ${docid} twice`, {
        remedy: 'Return each document once: for chunks of documents, the best chunk.',
      })
    seen.add(docid)
  }
}

function valuesOf(metric: Metric, run: Run, qrels: Qrels, qids: readonly string[]): Map<string, number> {
  return new Map(qids.map((qid) => [qid, metric.compute(run.get(qid) ?? [], qrels.get(qid) ?? new Map())]))
}
