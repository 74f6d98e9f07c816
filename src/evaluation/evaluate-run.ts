/** Scores a run that was made before, by any program, as `evaluate` scores searches. */
import type { Qrels, Query, Run } from '../types.ts'
import { defaultMetrics } from './default-metrics.ts'
import { type Evaluation, withoutQuery } from './evaluate.ts'
import { scoreRun } from './score.ts'
import { summarize } from './summary.ts'

/**
 * The evaluation of a run: one that has no traces, decisions and times. Judged queries that the run lacks count with no hits.
 *
 * @param metrics names as `parseMetric` takes them. Default: those of `evaluate`
 * @throws QuerentError as `scoreRun` does
 */
export function evaluateRun(
  run: Run,
  queries: readonly Query[],
  qrels: Qrels,
  metrics: readonly string[] = defaultMetrics,
): Evaluation {
  const judged = queries.filter(({ qid }) => qid !== undefined && qrels.has(qid))
  const scores = scoreRun(
    run,
    qrels,
    metrics,
    judged.map(({ qid }) => qid!),
  )
  return {
    ...scores,
    ...{ queries: judged, qrels, run, traces: [], errors: [] },
    unjudged: queries.length - judged.length,
    withoutQuery: withoutQuery(queries, qrels),
    summary: { ...summarize([], scores), errors: 0 },
  }
}
