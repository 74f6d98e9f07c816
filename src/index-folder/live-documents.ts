/** Which documents of an index's segments are in the index: later segments replace and remove documents of earlier ones. */

/** The documents of a segment, and what it changes in earlier segments. */
export interface SegmentTable {
  readonly docids: readonly string[]
  /** Docids that it removes from earlier segments. It also replaces all of its own docids there. */
  readonly removed: readonly string[]
}

export interface LiveDocuments {
  /** Docid → its number, counted over the documents of all segments. In the order of the index. */
  readonly numbers: ReadonlyMap<string, number>
  /** For each segment, 1 for each document that is in the index, otherwise 0. */
  readonly live: readonly Uint8Array[]
}

/** @param tables the segments, oldest first */
export function liveDocuments(tables: readonly SegmentTable[]): LiveDocuments {
  const all = new Uint8Array(tables.reduce((sum, { docids }) => sum + docids.length, 0))
  const numbers = new Map<string, number>()
  const hide = (docid: string): void => {
    const number = numbers.get(docid)
    if (number === undefined) return
    all[number] = 0
    numbers.delete(docid)
  }
  let next = 0
  const live = tables.map(({ docids, removed }) => {
    const first = next
    for (const docid of removed) hide(docid)
    for (const docid of docids) {
      hide(docid)
      numbers.set(docid, next)
      all[next++] = 1
    }
    return all.subarray(first, next)
  })
  return { numbers, live }
}

/** How many of a segment's documents are in the index. */
export const liveCount = (live: Uint8Array): number => live.reduce((sum, one) => sum + one, 0)
