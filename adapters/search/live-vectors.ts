/** A FAISS index without the vectors of documents that were replaced or deleted. */
import type { FaissIndex, Neighbor } from './faiss-index.ts'

export type SearchedVectors = Pick<FaissIndex, 'count' | 'search'>

/**
 * Positions count over the vectors that are left.
 *
 * @param live 0 for each vector that does not count. Those after its end count. Absent: all count
 */
export function withoutDead(index: SearchedVectors, live: Uint8Array | undefined): SearchedVectors {
  if (live?.includes(0) !== true) return index
  let count = 0
  /** Position in the index → position among those that are left, or −1. */
  const positions = Int32Array.from({ length: index.count }, (_, place) => (live[place] === 0 ? -1 : count++))

  /** If dead vectors are among the first, more are asked for. */
  function search(queries: readonly Float32Array[], k: number, depth: number = k): Neighbor[][] {
    return index.search(queries, depth).map((found, at) => {
      const left = found
        .map(({ position, score }) => ({ position: positions[position]!, score }))
        .filter(({ position }) => position >= 0)
      if (left.length >= k || found.length < depth || depth >= index.count) return left.slice(0, k)
      return search([queries[at]!], k, 4 * depth)[0]!
    })
  }
  return { count, search: (queries, k) => search(queries, k) }
}
