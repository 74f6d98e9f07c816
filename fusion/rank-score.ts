import { byCodeUnit, orderByValue } from '../src/rank.ts'
import type { FuseOptions, Fusion, RankedList } from '../src/types.ts'
import { checkOptions } from './check-options.ts'
import { compareReciprocalSums, reciprocalSum } from './fraction.ts'
import { toHits } from './hits.ts'
import { normalizeLists } from './normalize.ts'
import { hitOf, type Pool, poolLists } from './pool.ts'

const name = 'rank-score'
const term: Fusion['term'] = ({ rank }) => 1 / rank

/**
 * Rank-score fusion: P(d) = 1 / Σ 1/rank over the lists that have d, ascending; of equals, the best score over the lists,
 * descending; then docid, ascending. ACQO ("When should I search more: adaptive complex query optimization with
 * reinforcement learning"), eq. 1 and 2; the third key is ours.
 *
 * The order is that of RRF with k = 0, with ties decided by score. P is compared as an exact fraction, since doubles break
 * ties at random (`fraction.ts`). A hit's score is Σ 1/rank.
 *
 * Scores of one retriever are compared as they are. Lists of several retrievers are min-max-normalised first, each by
 * itself, since a BM25 score would beat every cosine. `norm` replaces either. A list that does not have a document gives it
 * nothing. Weights are an error.
 */
export function rankScore(): Fusion {
  return { name, term, fuse }
}

function fuse(lists: readonly RankedList[], options: FuseOptions = {}): ReturnType<Fusion['fuse']> {
  checkOptions({ name }, lists, options)
  const pool = poolLists(lists, options.depth)
  const { docids, ranks } = pool
  const width = lists.length
  const scores = docids.map((_, doc) => reciprocalSum(ranks, doc * width, width))
  const best = bestScores(pool, options.norm)
  const order = orderByValue(
    scores.map((score) => 1 / score),
    (a, b) =>
      compareReciprocalSums(ranks, b * width, a * width, width) ||
      best(b) - best(a) ||
      byCodeUnit(docids[a]!, docids[b]!),
  )
  return toHits({ pool, order, scores, term }, options)
}

/** Document → its best score over the lists. */
function bestScores(
  pool: Pool,
  norm = severalRetrievers(pool.lists) ? 'min-max' : 'none',
): (doc: number) => number {
  const scored = norm === 'none' ? pool : { ...pool, lists: normalizeLists(pool.lists, norm) }
  return (doc) => {
    let best = Number.NEGATIVE_INFINITY
    for (let list = 0; list < scored.lists.length; list++) {
      const hit = hitOf(scored, doc, list)
      if (hit !== undefined && hit.score > best) best = hit.score
    }
    return best
  }
}

const severalRetrievers = (lists: readonly RankedList[]): boolean =>
  lists.some(({ retriever }) => retriever !== lists[0]!.retriever)
