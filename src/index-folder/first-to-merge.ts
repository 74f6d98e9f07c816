/** Which segments of an index are merged, so that there are never many. */

export interface SegmentSize {
  /** Number of documents that are in the index. */
  readonly live: number
  /** Number of docids that it removes from earlier segments. */
  readonly removed: number
}

/**
 * The place of the first of the segments that are merged into one with all later ones; the last place if none are. A segment is
 * merged as long as the one before it has less than twice as many documents. So an index of N documents has at most log2(N)
 * segments, a document is written again at most log2(N) times, and at most half of an old segment is dead.
 *
 * @param sizes oldest first
 */
export function firstToMerge(sizes: readonly SegmentSize[]): number {
  let first = sizes.length - 1
  let merged = 0
  for (;;) {
    const { live, removed } = sizes[first]!
    merged += live + removed
    if (first === 0 || sizes[first - 1]!.live >= 2 * merged) return first
    first--
  }
}
