/** The lists of one fusion as one set of documents. Here lists are cut, collapsed and checked. */
import { QuerentError } from '../../src/errors.ts'
import type { Document, Hit, RankedList } from '../../src/types.ts'

export interface Pool {
  /** The union of the lists: of each document its place in the first list that has it. A document is its index here. */
  readonly union: readonly Place[]
  /** The lists, cut and collapsed, with their own scores. */
  readonly lists: readonly RankedList[]
  /** For each list what replaces its scores, in the order of its ranking. Absent where nothing was normalised. */
  readonly normalized?: readonly (readonly number[])[]
}

/** What one list has of a document. */
export interface Place {
  readonly hit: Hit
  /** Which list, from 0. */
  readonly list: number
  /** Rank in that list, from 1. */
  readonly rank: number
  /** The same document in a later list. */
  readonly next: Place | undefined
}

/** A place while lists are pooled. */
interface Growing extends Place {
  next: Growing | undefined
}

/**
 * Pools lists. The order of a list's array is its ranking: neither `rank` nor `score` of a hit changes it. A document that
 * a list has twice keeps its best place, and the documents below move up. `depth` counts what is left after that.
 *
 * @throws QuerentError `bad-list` for a score that is NaN or infinite; the message names the list and the docid
 */
export function poolLists(lists: readonly RankedList[], depth = Number.POSITIVE_INFINITY): Pool {
  const union: Place[] = []
  const firsts = new Map<string, Growing>()
  const pooled: RankedList[] = []
  for (let list = 0; list < lists.length; list++) {
    const given = lists[list]!
    const { hits } = given
    let rank = 0
    for (let index = 0; index < hits.length && rank < depth; index++) {
      const hit = hits[index]!
      const { docid, score } = hit
      if (!Number.isFinite(score)) throw notFinite(given, hit)
      const first = firsts.get(docid)
      if (first === undefined) {
        const place: Growing = { hit, list, rank: ++rank, next: undefined }
        firsts.set(docid, place)
        union.push(place)
        continue
      }
      let last = first
      while (last.next !== undefined) last = last.next
      if (last.list !== list) last.next = { hit, list, rank: ++rank, next: undefined }
    }
    pooled.push(rank === hits.length ? given : { ...given, hits: distinct(hits).slice(0, rank) })
  }
  return { union, lists: pooled }
}

/** The score of a place, normalised or not. */
export function scoreAt({ normalized }: Pool, { hit, list, rank }: Place): number {
  return normalized === undefined ? hit.score : normalized[list]![rank - 1]!
}

/** The document itself, from the first list that has it with the hit. */
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
