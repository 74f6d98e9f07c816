/** The lists of one fusion as one set of documents. This is where lists are cut, deduplicated and checked. */
import { QuerentError } from '../../src/errors.ts'
import type { Document, Hit, RankedList } from '../../src/types.ts'

export interface Pool {
  /** The union of the lists: each document's place in the first list that has it. Elsewhere a document is its index here. */
  readonly union: readonly Place[]
  /** The lists, cut and without duplicates, with their own scores. */
  readonly lists: readonly RankedList[]
  /** For each list, its normalized scores, in the order of its ranking. Absent if nothing was normalized. */
  readonly normalized?: readonly (readonly number[])[]
}

/**
 * A document in one list. A document's places are a linked list: with an array of places for each document, or with a table
 * of ranks, a fusion of 3 lists of 100 hits takes 100 % or 5 to 30 % longer.
 */
export interface Place {
  readonly hit: Hit
  /** Index of the list. */
  readonly list: number
  /** Rank in that list, from 1. */
  readonly rank: number
  /** The document's place in the next list that has it. */
  readonly next: Place | undefined
}

/** A place that can still get a `next`. */
interface OpenPlace extends Place {
  next: OpenPlace | undefined
}

/**
 * Pools lists. The order of a list's array is its ranking; the `rank` and `score` of its hits do not change it. If a list has
 * a document twice, the document keeps its best rank and the documents below move up. `depth` applies after that.
 *
 * @throws QuerentError `bad-list` for a score that is NaN or infinite; the message names the list and the docid
 */
export function poolLists(lists: readonly RankedList[], depth = Number.POSITIVE_INFINITY): Pool {
  const union: Place[] = []
  const firsts = new Map<string, OpenPlace>()
  const pooled: RankedList[] = []
  for (const [list, original] of lists.entries()) {
    const { hits } = original
    let rank = 0
    for (let index = 0; index < hits.length && rank < depth; index++) {
      const hit = hits[index]!
      const { docid, score } = hit
      if (!Number.isFinite(score)) throw notFinite(original, hit)
      const first = firsts.get(docid)
      if (first === undefined) {
        const place: OpenPlace = { hit, list, rank: ++rank, next: undefined }
        firsts.set(docid, place)
        union.push(place)
        continue
      }
      let last = first
      while (last.next !== undefined) last = last.next
      if (last.list !== list) last.next = { hit, list, rank: ++rank, next: undefined }
    }
    pooled.push(rank === hits.length ? original : { ...original, hits: distinct(hits).slice(0, rank) })
  }
  return { union, lists: pooled }
}

/** The score of a place: normalized, if the pool is. */
export function scoreAt({ normalized }: Pool, { hit, list, rank }: Place): number {
  return normalized === undefined ? hit.score : normalized[list]![rank - 1]!
}

/** The document, from the first list whose hit has it. */
export function documentAt(first: Place): Document | undefined {
  for (let place: Place | undefined = first; place !== undefined; place = place.next) {
    if (place.hit.document !== undefined) return place.hit.document
  }
  return undefined
}

function distinct(hits: readonly Hit[]): Hit[] {
  const best = new Map<string, Hit>()
  for (const hit of hits) if (!best.has(hit.docid)) best.set(hit.docid, hit)
  return [...best.values()]
}

const notFinite = ({ retriever, subQuery }: RankedList, { docid, score }: Hit): QuerentError =>
  new QuerentError(
    'bad-list',
    `The score of "${docid}" is ${score} in the list of ${retriever} for "${subQuery.text}"`,
  )
