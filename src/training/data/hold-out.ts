/** Divides judged queries into those to learn from and those to judge the result by. */
import { foldsOf } from '../../learn/folds.ts'
import type { Qrels, Query } from '../../types.ts'
import { conversationOf } from './conversations.ts'
import { relevantOf } from './relevant-docs.ts'

/** About one query in this many is held out. */
const parts = 5

export interface Split<Judged extends Query> {
  readonly train: readonly Judged[]
  /** About a fifth of the queries; empty where no query can be held out. */
  readonly heldOut: readonly Judged[]
}

/**
 * Divides queries in two parts, both in their order. Queries that share a relevant document or belong to one conversation,
 * directly or through other queries, are in the same part. Of five folds the one whose size is nearest to a fifth is held
 * out; none where all queries are connected.
 */
export function holdOut<Judged extends Query>(
  queries: readonly Judged[],
  qrels: Qrels,
  seed: number,
): Split<Judged> {
  const keys = queries.map((query) => [
    conversationOf(query),
    ...relevantOf(qrels.get(query.qid ?? '')).map((docid) => `document ${docid}`),
  ])
  const folds = foldsOf(keys, parts, seed)
  const sizes = new Map<number, number>()
  for (const fold of folds) sizes.set(fold, (sizes.get(fold) ?? 0) + 1)
  const distance = (size: number): number => Math.abs(size - queries.length / parts)
  const byDistance = [...sizes].sort(([a, one], [b, other]) => distance(one) - distance(other) || b - a)
  const chosen = sizes.size < 2 ? undefined : byDistance[0]![0]
  return {
    train: queries.filter((_, place) => folds[place] !== chosen),
    heldOut: queries.filter((_, place) => folds[place] === chosen),
  }
}
