/** The lists of one fusion as a table: documents × lists → rank. Here lists are cut, collapsed and checked. */
import { QuerentError } from '../src/errors.ts'
import type { Hit, RankedList } from '../src/types.ts'

export interface Pool {
  /** The union of the lists. A document is its index here. */
  readonly docids: readonly string[]
  /** The lists, cut and collapsed: the hit of rank r is `hits[r - 1]`. */
  readonly lists: readonly RankedList[]
  /** The rank of document d in list l is `ranks[d * lists.length + l]`; 0 where the list does not have it. */
  readonly ranks: Int32Array
}

/**
 * Pools lists. The order of a list's array is its ranking: neither `rank` nor `score` of a hit changes it. A document that
 * a list has twice keeps its best place, and the documents below move up. `depth` counts what is left after that.
 *
 * @throws QuerentError `bad-list` for a score that is NaN or infinite; the message names the list and the docid
 */
export function poolLists(lists: readonly RankedList[], depth = Number.POSITIVE_INFINITY): Pool {
  const width = lists.length
  const most = lists.reduce((sum, { hits }) => sum + Math.min(hits.length, depth), 0)
  const ranks = new Int32Array(most * width)
  const docids: string[] = []
  const indices = new Map<string, number>()

  const pooled = lists.map((list, column) => {
    const { hits } = list
    let rank = 0
    for (let place = 0; place < hits.length && rank < depth; place++) {
      const { docid, score } = hits[place]!
      if (!Number.isFinite(score)) throw notFinite(list, docid, score)
      let doc = indices.get(docid)
      if (doc === undefined) {
        doc = docids.push(docid) - 1
        indices.set(docid, doc)
      }
      const cell = doc * width + column
      if (ranks[cell] === 0) ranks[cell] = ++rank
    }
    return rank === hits.length ? list : { ...list, hits: distinct(hits).slice(0, rank) }
  })
  return { docids, lists: pooled, ranks }
}

/** The hit of a document in a list, where the list has it. */
export function hitOf({ lists, ranks }: Pool, doc: number, list: number): Hit | undefined {
  return lists[list]!.hits[ranks[doc * lists.length + list]! - 1]
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
