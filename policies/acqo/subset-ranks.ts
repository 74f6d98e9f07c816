/**
 * The ranks of relevant documents in the rank-score fusion of every set of sub-queries, for the maximum of ACQO's eq. 6. Nothing
 * is sorted: a document's rank is one more than the number of documents before it.
 *
 * The sets are visited in Gray-code order. Neighboring sets differ in one sub-query, so the sums Σ 1/rank are updated instead of
 * recomputed. The running sums are doubles. If two sums are close, exact fractions decide, as in `fusion/rank-score.ts`.
 */
import { normalizePool } from '../../fusion/common/normalize.ts'
import { type Places, type Pool, poolLists } from '../../fusion/common/pool.ts'
import { comparePlaces, defaultNorm } from '../../fusion/rank-score.ts'
import { checkOption } from '../../src/learn/check-option.ts'
import type { RankedList } from '../../src/types.ts'

/** 4,095 sets. A policy that chooses among more candidates does not need all of their sets. */
const maxSubQueries = 12

/** The maximum error of a running sum: 4,095 steps, each rounding a sum of a few ones. */
const slack = 1e-9

/**
 * @param searched the lists of each sub-query, one per retriever
 * @param golds docids, each once
 * @param depth how many hits of each list take part
 * @returns cell `set · golds.length + gold` → the gold's rank in the fused list of that set, from 1, or 0 if no list contains it.
 *   Bit i of `set` says whether sub-query i is in it; set 0 is empty.
 * @throws QuerentError `bad-config` for more than 12 sub-queries, `bad-list` as fusion does
 */
export function subsetRanks(
  searched: readonly (readonly RankedList[])[],
  golds: readonly string[],
  depth: number,
): Int32Array {
  const sets = countSets(searched)
  const lists = searched.flat()
  const pool = poolLists(lists, depth)
  const normalized = normalizePool(pool, defaultNorm(lists))
  const { union } = pool
  const docsOf = docsByList(pool)
  const ownLists = numberLists(searched)
  const goldDocs = golds.map((docid) => union.findIndex(([{ hit }]) => hit.docid === docid))

  const sums = new Float64Array(union.length)
  const ranks = new Int32Array(golds.length * sets)
  const included = lists.map(() => false)

  for (let step = 1; step < sets; step++) {
    const flipped = 31 - Math.clz32(step & -step)
    for (const list of ownLists[flipped]!) {
      const sign = included[list] ? -1 : 1
      included[list] = sign === 1
      const docs = docsOf[list]!
      for (let place = 0; place < docs.length; place++) sums[docs[place]!]! += sign / (place + 1)
    }

    const scored = defaultNorm(lists.filter((_, list) => included[list])) === 'none' ? pool : normalized
    const set = step ^ (step >> 1)
    for (const [index, gold] of goldDocs.entries()) {
      if (gold === -1 || sums[gold]! < slack) continue
      ranks[set * golds.length + index] = rankOf(gold, sums, scored, included)
    }
  }
  return ranks
}

/**
 * The number of sets of sub-queries, including the empty one.
 *
 * @throws QuerentError `bad-config` for more than 12 sub-queries
 */
export function countSets({ length }: readonly (readonly RankedList[])[]): number {
  checkOption('The number of sub-queries', length, length <= maxSubQueries, `at most ${maxSubQueries}`)
  return 1 << length
}

/**
 * @param pool of all lists, with the scores that break ties between equal sums
 * @param included which of the pool's lists are in the set
 */
function rankOf(gold: number, sums: Float64Array, pool: Pool, included: readonly boolean[]): number {
  const { union } = pool
  const above = sums[gold]! + slack
  const below = sums[gold]! - slack
  const goldPlace = placesIn(union[gold]!, included)
  let rank = 1
  for (let doc = 0; doc < sums.length; doc++) {
    const sum = sums[doc]!
    if (sum < below || doc === gold) continue
    if (sum > above || comparePlaces(pool, placesIn(union[doc]!, included), goldPlace) < 0) rank++
  }
  return rank
}

/** A document's places in the lists of a set. The set contains at least one. */
const placesIn = (places: Places, included: readonly boolean[]): Places =>
  places.filter(({ list }) => included[list]) as [...Places]

/** The documents of each list, best first, as indices of the union. */
function docsByList({ union, lists }: Pool): Int32Array[] {
  const docsOf = lists.map(({ hits }) => new Int32Array(hits.length))
  for (const [doc, places] of union.entries())
    for (const { list, rank } of places) docsOf[list]![rank - 1] = doc
  return docsOf
}

/** The indices of each sub-query's lists among all lists. */
function numberLists(searched: readonly (readonly RankedList[])[]): number[][] {
  let next = 0
  return searched.map((lists) => lists.map(() => next++))
}
