/** Splits judged queries into a training set and a held-out set. */
import { foldsOf } from '../../learn/folds.ts'
import type { Qrels, Query } from '../../types.ts'
import { conversationOf } from './conversations.ts'
import { relevantOf } from './relevant-docs.ts'

/** The held-out set is about one part in this many. */
const parts = 5

export interface Split<Judged extends Query> {
  readonly train: readonly Judged[]
  /** About a fifth of the queries. Empty if no query can be held out. */
  readonly heldOut: readonly Judged[]
}

/**
 * Splits queries into two parts and keeps their order. Queries that share a relevant document or a conversation, directly or
 * through other queries, go into the same part. Of five folds, the one nearest to a fifth of the queries is held out. If all
 * queries are connected, none is.
 */
export function holdOut<Judged extends Query>(
  queries: readonly Judged[],
  qrels: Qrels,
  seed: number,
): Split<Judged> {
  const [split] = holdOutTogether([{ queries, qrels }], seed)
  return split!
}

/** As `holdOut`, of several collections over the same documents: none of their queries shares a document with another part. */
export function holdOutTogether<Judged extends Query>(
  collections: readonly { readonly queries: readonly Judged[]; readonly qrels: Qrels }[],
  seed: number,
): Split<Judged>[] {
  const keys = collections.flatMap(({ queries, qrels }) =>
    queries.map((query) => [
      conversationOf(query),
      ...relevantOf(qrels.get(query.qid ?? '')).map((docid) => `document ${docid}`),
    ]),
  )
  const folds = foldsOf(keys, parts, seed)
  const sizes = new Map<number, number>()
  for (const fold of folds) sizes.set(fold, (sizes.get(fold) ?? 0) + 1)
  const distance = (size: number): number => Math.abs(size - keys.length / parts)
  const byDistance = [...sizes].sort(([a, one], [b, other]) => distance(one) - distance(other) || b - a)
  const chosen = sizes.size < 2 ? undefined : byDistance[0]![0]
  let first = 0
  return collections.map(({ queries }) => {
    const own = folds.subarray(first, first + queries.length)
    first += queries.length
    return {
      train: queries.filter((_, place) => own[place] !== chosen),
      heldOut: queries.filter((_, place) => own[place] === chosen),
    }
  })
}
