/** Several FAISS indexes as one, without the vectors of documents that were replaced or deleted. */
import type { FaissIndex, Neighbor } from './faiss-index.ts'

export type SearchedVectors = Pick<FaissIndex, 'count' | 'search'>

/** An index, and 1 for each of its vectors that counts, otherwise 0. Absent: all count. */
export interface VectorPart {
  readonly index: SearchedVectors
  readonly live?: Uint8Array | undefined
}

/** Positions count over the live vectors of all parts. */
export function joinVectors(parts: readonly VectorPart[]): SearchedVectors {
  const [only] = parts
  if (only !== undefined && parts.length === 1 && only.live?.includes(0) !== true) return only.index
  let count = 0
  const searched = parts.map(({ index, live }) => {
    /** Position in the part → position in the whole, or −1 if the vector does not count. */
    const positions = Int32Array.from({ length: index.count }, (_, place) =>
      live?.[place] === 0 ? -1 : count++,
    )
    return { index, positions }
  })
  return {
    count,
    search(queries, k) {
      const lists = searched.map((part) => searchPart(part, queries, k))
      return queries.map((_, at) =>
        lists
          .flatMap((found) => found[at]!)
          .sort((one, other) => other.score - one.score)
          .slice(0, k),
      )
    },
  }
}

interface MappedPart {
  readonly index: SearchedVectors
  readonly positions: Int32Array
}

/** The `k` nearest live vectors of each query. If dead ones are among the first, more are asked for. */
function searchPart(
  part: MappedPart,
  queries: readonly Float32Array[],
  k: number,
  depth: number = k,
): Neighbor[][] {
  return part.index.search(queries, depth).map((found, at) => {
    const live = found
      .map(({ position, score }) => ({ position: part.positions[position]!, score }))
      .filter(({ position }) => position >= 0)
    if (live.length >= k || found.length < depth || depth >= part.index.count) return live.slice(0, k)
    return searchPart(part, [queries[at]!], k, 4 * depth)[0]!
  })
}
