/** Users who click as the position-based model says: they look at a rank with its probability, and click on what attracts them. */
import { createRandom } from '../../src/learn/random.ts'
import type { ClickedSearch } from '../../src/training/data/clicks.ts'

export interface Users {
  readonly seed: number
  /** Searches of each query. */
  readonly searches: number
  /** The probability that they look at a rank, from 1. */
  readonly looks: (rank: number) => number
  /** The probability of a click once they have looked. */
  readonly attracts: (qid: string, docid: string) => number
  /** The share of searches in which the first document changes places with another. Default: none. */
  readonly swaps?: number
}

/** What they do with the first ten of each list. */
export function simulatedClicks(
  lists: ReadonlyMap<string, readonly string[]>,
  { seed, searches, looks, attracts, swaps = 0 }: Users,
): ClickedSearch[] {
  const random = createRandom(seed)
  return [...lists].flatMap(([qid, list]) =>
    Array.from({ length: searches }, () => {
      const shown = list.slice(0, 10)
      const other = random.float() < swaps ? random.integer(shown.length) : 0
      ;[shown[0], shown[other]] = [shown[other]!, shown[0]!]
      const isClicked = (docid: string, at: number) => random.float() < looks(at + 1) * attracts(qid, docid)
      return { query: { qid, text: qid }, shown, clicks: shown.filter(isClicked).map((docid) => ({ docid })) }
    }),
  )
}
