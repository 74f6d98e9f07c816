/**
 * Lists as short as those that an engine is asked for. In the process a list has a hundred hits; before an engine, where each hit
 * costs time, it has 20 or 30. A policy that has learned from long lists alone misreads short ones: it takes the score of the last
 * hit and the number of documents for properties of the query, and keeps the given order too often.
 */
import type { RankedList } from '../../../src/types.ts'
import type { Example } from './example.ts'

/** The maximum number of hits of a short list. With 20, searches with 20 found no more (`bench/results/local.md`). */
export const shortLength = 30

/** The same examples, every second one with short lists. */
export const withShortLists = (examples: readonly Example[]): readonly Example[] =>
  examples.map((example, index) => (index % 2 === 0 ? example : shortened(example)))

function shortened(example: Example): Example {
  return {
    ...example,
    lists: short(example.lists),
    search: async (texts, k) => (await example.search(texts, k)).map(short),
  }
}

const short = (lists: readonly RankedList[]): RankedList[] =>
  lists.map((list) => ({ ...list, hits: list.hits.slice(0, shortLength) }))
