/** The lists of one fusion as one set of documents. This is where lists are cut, deduplicated and checked. */
import { QuerentError } from '../../src/errors.ts'
import type { Document, Hit, RankedList } from '../../src/types.ts'

export interface Pool {
  /** The union of the lists: each document's places, at least one, in the order of the lists. Elsewhere a document is its index here. */
  readonly union: readonly Places[]
  /** The lists, cut and without duplicates, with their own scores. */
  readonly lists: readonly RankedList[]
  /** For each list, its normalized scores, in the order of its ranking. Absent if nothing was normalized. */
  readonly normalized?: readonly (readonly number[])[]
}

/** A document in one list. */
export interface Place {
  readonly hit: Hit
  /** Index of the list. */
  readonly list: number
  /** Rank in that list, from 1. */
  readonly rank: number
}

export type Places = readonly [Place, ...Place[]]

/**
 * Pools lists. The order of a list's array is its ranking; the `rank` and `score` of its hits do not change it. If a list has
 * a document twice, the document keeps its best rank and the documents below move up. `depth` applies after that.
 *
 * @throws QuerentError `bad-list` for a score that is NaN or infinite; the message names the list and the docid
 */
export function poolLists(lists: readonly RankedList[], depth = Number.POSITIVE_INFINITY): Pool {
  const byDocid = new Map<string, [Place, ...Place[]]>()
  const pooled: RankedList[] = []
  for (const [list, original] of lists.entries()) {
    const { hits } = original
    let rank = 0
    for (let index = 0; index < hits.length && rank < depth; index++) {
      const hit = hits[index]!
      const { docid, score } = hit
      if (!Number.isFinite(score)) throw notFinite(original, hit)
      const places = byDocid.get(docid)
      if (places === undefined) byDocid.set(docid, [{ hit, list, rank: ++rank }])
      else if (places.at(-1)!.list !== list) places.push({ hit, list, rank: ++rank })
    }
    pooled.push(rank === hits.length ? original : { ...original, hits: distinct(hits).slice(0, rank) })
  }
  return { union: [...byDocid.values()], lists: pooled }
}

/** The score of a place: normalized, if the pool is. */
export function scoreAt({ normalized }: Pool, { hit, list, rank }: Place): number {
  return normalized === undefined ? hit.score : normalized[list]![rank - 1]!
}

/** The document, from the first list whose hit has it. */
export const documentAt = (places: Places): Document | undefined =>
  places.find(({ hit }) => hit.document !== undefined)?.hit.document

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
