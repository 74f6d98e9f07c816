/** Checks whether a training set can teach anything before time is spent on it. */
import { rankScore } from '../../../fusion/rank-score.ts'
import { QuerentError } from '../../../src/errors.ts'
import type { DocumentStore } from '../../../src/index-folder/documents.ts'
import { foldsOf } from '../../../src/learn/folds.ts'
import { lookUpGolds, relevantOf } from '../../../src/training/data/relevant-docs.ts'
import type { Qrels, Query } from '../../../src/types.ts'
import type { Example } from './example.ts'
import { gainOf, type SearchedPlans } from './plan-search.ts'

/** With fewer queries, an effect cannot be told from chance. Querent's value. */
export const leastQueries = 20

export interface JudgedQueries {
  /** The queries with a relevant document, in their order. */
  readonly queries: readonly Query[]
  /** The number of their relevant documents, and how many of those the index lacks. */
  readonly golds: number
  readonly missing: number
}

/**
 * The queries of a collection that have a relevant document.
 *
 * @param name of the collection, for the message
 * @throws QuerentError `unusable-judgments` if there are none, or if the index has none of their documents; `aborted`
 */
export async function judgedQueries(
  name: string,
  queries: readonly Query[],
  qrels: Qrels,
  documents: DocumentStore,
  signal?: AbortSignal,
): Promise<JudgedQueries> {
  const judged = queries.filter(({ qid }) => relevantOf(qrels.get(qid ?? '')).length > 0)
  if (judged.length === 0) {
    throw new QuerentError('unusable-judgments', `No query of ${name} has a relevant document`, {
      remedy: 'Check that its queries and judgments have the same identifiers, and grades above 0.',
    })
  }
  const own = new Map(judged.map(({ qid }) => [qid!, qrels.get(qid!)!]))
  const { golds, indexed } = await lookUpGolds(documents, own, signal)
  if (indexed.size === 0) {
    throw new QuerentError(
      'unusable-judgments',
      `The index of ${name} has none of its relevant documents (${golds.size})`,
      {
        remedy:
          'Give the index of its own corpus; of several collections one --index each, in the same order.',
      },
    )
  }
  return { queries: judged, golds: golds.size, missing: golds.size - indexed.size }
}

/** @throws QuerentError `unusable-judgments` if too few queries of all collections have a relevant document */
export function checkEnough(queries: number): void {
  if (queries >= leastQueries) return
  throw new QuerentError(
    'unusable-judgments',
    `Only ${queries} ${queries === 1 ? 'query has' : 'queries have'} a relevant document`,
    { remedy: `Judge ${leastQueries} or more; the policy that comes with Querent needs none.` },
  )
}

/**
 * @throws QuerentError `unusable-judgments` if no query finds a relevant document, if every query already ranks its relevant documents
 *   first, or if all queries are connected by shared keys, so that none can be held out
 */
export function checkTeachable(examples: readonly Example[]): void {
  if (examples.length < 2)
    throw new QuerentError('unusable-judgments', 'Fewer than two queries have a relevant document')
  if (
    !examples.some(({ lists, golds }) => lists.some(({ hits }) => hits.some(({ docid }) => golds.has(docid))))
  )
    throw new QuerentError(
      'unusable-judgments',
      `None of the queries (${examples.length}) finds a relevant document`,
    )
  const halves = foldsOf(
    examples.map(({ keys }) => keys),
    2,
    0,
  )
  if (new Set(halves).size < 2)
    throw new QuerentError(
      'unusable-judgments',
      `All queries (${examples.length}) share relevant documents or a conversation, so no part of them can be held out`,
      {
        remedy: 'Judge queries with other relevant documents; the policy that comes with Querent needs none.',
      },
    )
  if (examples.every(isPerfect))
    throw new QuerentError(
      'unusable-judgments',
      `All queries (${examples.length}) already find their relevant documents first, so nothing can improve`,
      { remedy: 'Train on harder queries; on these search with `--policy none`.' },
    )
}

/** @throws QuerentError `unusable-judgments` if no plan of any query gains or loses anything */
export function checkVaried(searched: readonly SearchedPlans[]): void {
  if (searched.some((one) => one.plans.some((plan) => gainOf(one, plan) !== 0))) return
  throw new QuerentError(
    'unusable-judgments',
    `For each query (${searched.length}), every plan finds what the query itself finds, so there is nothing to learn`,
    { remedy: 'Train on queries that sub-queries can help or harm; on these search with `--policy none`.' },
  )
}

/** Whether the fused lists of the original query begin with all of its relevant documents. */
function isPerfect({ lists, golds }: Example): boolean {
  const first = rankScore().fuse(lists, { k: golds.size })
  return first.length === golds.size && first.every(({ docid }) => golds.has(docid))
}
