/**
 * Searches of an index that cannot answer: the lists of a judged query without its relevant documents. Confidence learns from them what
 * "not here" looks like. Judged collections have no such queries of their own.
 */
import { onlyHits } from '../../../src/rank.ts'
import type { RankedList } from '../../../src/types.ts'

/**
 * Of every third query there is such a search, too. These count three times for confidence: as if half of all questions had no answer, since nothing
 * is known about an index.
 */
export const everyUnanswered = 3

/** The hits that are not relevant, with ranks that have no gaps. @param golds docid → grade; 0 or below is not relevant */
export const listsWithout = (
  lists: readonly RankedList[],
  golds: ReadonlyMap<string, number>,
): RankedList[] =>
  lists.map((list) => ({
    ...list,
    hits: onlyHits(list.hits, ({ docid }) => !((golds.get(docid) ?? 0) > 0)),
  }))
