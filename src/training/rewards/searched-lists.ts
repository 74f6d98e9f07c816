/** The lists of a search, in the form in which the cache stores them. */
import { QuerentError, toError } from '../../errors.ts'
import type { Leg, RankedList } from '../../types.ts'

/** The lists of a text, one per retriever, or an error if any of them failed or is incomplete: the reward would be wrong. */
export type SearchedLists = readonly RankedList[] | Error

/** Collects the lists of one text, without documents, whose texts would fill the cache. */
export function searchedListsOf(legs: readonly Leg[]): SearchedLists {
  const failed = legs.find(({ error }) => error !== undefined)
  if (failed?.error !== undefined) {
    const cause = toError(failed.error)
    return new QuerentError('retriever-failed', `Retriever "${failed.retriever}": ${cause.message}`, {
      cause,
    })
  }
  for (const leg of legs)
    if (leg.error === undefined && leg.incomplete !== undefined)
      return new QuerentError('retriever-failed', `Retriever "${leg.retriever}": hits may be missing`, {
        cause: new Error(leg.incomplete),
      })
  return legs.map(({ retriever, subQuery, hits = [] }) => ({
    retriever,
    subQuery,
    hits: hits.map(({ docid, score, rank }) => ({ docid, score, rank })),
  }))
}

/**
 * Estimates the bytes of a cache entry from V8's memory layout: a hit is an object with three fields, one of them a boxed
 * double. Docids are shared with the index.
 */
export function bytesOf(lists: readonly RankedList[], key: string): number {
  const hits = lists.reduce((sum, list) => sum + list.hits.length, 0)
  return 400 + 4 * key.length + 200 * lists.length + 64 * hits
}
