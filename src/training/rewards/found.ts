/** What was found for a text, as it is remembered. */
import { QuerentError, toError } from '../../errors.ts'
import type { Leg, RankedList } from '../../types.ts'

/** The lists of a text, one a retriever, or why there are none: half of the lists would give a wrong reward. */
export type Found = readonly RankedList[] | Error

/** The lists of one text without documents, whose text would fill the cache. */
export function foundOf(legs: readonly Leg[]): Found {
  const failed = legs.find(({ error }) => error !== undefined)
  if (failed?.error !== undefined) {
    const cause = toError(failed.error)
    return new QuerentError('retriever-failed', `Retriever "${failed.retriever}": ${cause.message}`, {
      cause,
    })
  }
  return legs.map(({ retriever, subQuery, hits = [] }) => ({
    retriever,
    subQuery,
    hits: hits.map(({ docid, score, rank }) => ({ docid, score, rank })),
  }))
}

/** What an entry takes, by V8's layout: a hit is an object of three fields, one a boxed double; docids belong to the index. */
export function bytesOf(lists: readonly RankedList[], key: string): number {
  const hits = lists.reduce((sum, list) => sum + list.hits.length, 0)
  return 400 + 4 * key.length + 200 * lists.length + 64 * hits
}
