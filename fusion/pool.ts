/** The lists of one fusion as a table of documents × lists. Here lists are cut, collapsed and checked. */
import { QuerentError } from '../src/errors.ts'
import type { Document, Hit, RankedList } from '../src/types.ts'

/** Cell d · L + l of the table is of document d and list l, L being the number of lists. */
export interface Pool {
  /** The union of the lists. A document is its index here. */
  readonly docids: readonly string[]
  /** The lists, cut and collapsed, with their own scores: the hit of rank r is `hits[r - 1]`. */
  readonly lists: readonly RankedList[]
  /** Cell → rank from 1, or 0 where the list does not have the document. */
  readonly ranks: Int32Array
  /** Cell → score, normalised or not, where there is a rank. */
  readonly scores: Float64Array
  /** The documents that came with hits, each from the first list that has it; holes for the others. */
  readonly documents: readonly (Document | undefined)[]
}

/**
 * Pools lists. The order of a list's array is its ranking: neither `rank` nor `score` of a hit changes it. A document that
 * a list has twice keeps its best place, and the documents below move up. `depth` counts what is left after that.
 *
 * @throws QuerentError `bad-list` for a score that is NaN or infinite; the message names the list and the docid
 */
export function poolLists(lists: readonly RankedList[], depth = Number.POSITIVE_INFINITY): Pool {
  const width = lists.length
  const cells = width * lists.reduce((most, { hits }) => most + Math.min(hits.length, depth), 0)
  const ranks = new Int32Array(cells)
  const scores = new Float64Array(cells)
  const docids: string[] = []
  const documents: (Document | undefined)[] = []
  const indices = new Map<string, number>()

  const pooled: RankedList[] = []
  for (let column = 0; column < width; column++) {
    const list = lists[column]!
    const { hits } = list
    let rank = 0
    for (let place = 0; place < hits.length && rank < depth; place++) {
      const { docid, score, document } = hits[place]!
      if (!Number.isFinite(score)) throw notFinite(list, docid, score)
      let doc = indices.get(docid)
      if (doc === undefined) {
        doc = docids.push(docid) - 1
        indices.set(docid, doc)
      }
      if (document !== undefined) documents[doc] ??= document
      const cell = doc * width + column
      if (ranks[cell] !== 0) continue
      ranks[cell] = ++rank
      scores[cell] = score
    }
    pooled.push(rank === hits.length ? list : { ...list, hits: distinct(hits).slice(0, rank) })
  }
  return { docids, lists: pooled, ranks, scores, documents }
}

function distinct(hits: readonly Hit[]): Hit[] {
  const best = new Map<string, Hit>()
  for (const hit of hits) if (!best.has(hit.docid)) best.set(hit.docid, hit)
  return [...best.values()]
}

const notFinite = ({ retriever, subQuery }: RankedList, docid: string, score: number): QuerentError =>
  new QuerentError(
    'bad-list',
    `The score of "${docid}" is ${score} in the list of ${retriever} for "${subQuery.text}"`,
  )
