import { type Evaluation, evaluate } from '../../src/evaluation/evaluate.ts'
import type { Query, Trace } from '../../src/types.ts'
import { hits } from './scripted.ts'

/** What happened in a search about which the test says no more. */
export function traceOf(query: Query, changes: Partial<Trace> = {}): Trace {
  return {
    version: 2,
    query,
    policy: 'none',
    kind: 'as-is',
    reason: '',
    subQueries: [],
    partial: false,
    steps: [],
    times: { total: 10, deciding: 0, retrieving: 9, fusing: 1, reranking: 0 },
    tokens: { prompt: 0, completion: 0 },
    outcome: { hits: [] },
    ...changes,
  }
}

/**
 * The evaluation of a system that finds each query's one relevant document at this rank, and not at all at rank 0: the
 * query's reciprocal rank is 1/rank or 0. The queries are `q1`, `q2`, …, and their text is `text of q1`.
 */
export function evaluated(
  ranks: readonly number[],
  changes: (qid: string) => Partial<Trace> | Error = () => ({}),
  metrics: readonly string[] = ['mrr'],
): Promise<Evaluation> {
  const queries = ranks.map((_, index) => ({ qid: `q${index + 1}`, text: `text of q${index + 1}` }))
  const qrels = new Map(queries.map(({ qid }) => [qid, new Map([['relevant', 1]])]))
  return evaluate(
    async (query) => {
      const rank = ranks[queries.findIndex(({ qid }) => qid === query.qid)]!
      const change = changes(query.qid!)
      if (change instanceof Error) throw change
      const others = Array.from({ length: rank > 0 ? rank - 1 : 3 }, (_, index) => `other${index}`)
      return { hits: hits(...others, ...(rank > 0 ? ['relevant'] : [])), trace: traceOf(query, change) }
    },
    queries,
    qrels,
    { metrics },
  )
}

/** Evaluated systems by their names, the first being the baseline. Ranks are as `evaluated` takes them. */
export const systemsOf = (
  systems: Readonly<Record<string, readonly number[] | Promise<Evaluation>>>,
): Promise<{ readonly name: string; readonly evaluation: Evaluation }[]> =>
  Promise.all(
    Object.entries(systems).map(async ([name, given]) => ({
      name,
      evaluation: await (given instanceof Promise ? given : evaluated(given)),
    })),
  )
