import { byCodeUnit, orderByValue } from '../src/rank.ts'
import type { FuseOptions, Fusion, Hit, RankedList, Term } from '../src/types.ts'
import { checkOptions } from './common/check-options.ts'
import { compareReciprocalSums, reciprocalSums } from './common/fraction.ts'
import { toHits } from './common/hits.ts'
import { normalizePool } from './common/normalize.ts'
import { type Place, type Pool, poolLists, scoreAt } from './common/pool.ts'

const name = 'rank-score'
const term = ({ rank }: Term): number => 1 / rank

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

function fuse(lists: readonly RankedList[], options: FuseOptions = {}): Hit[] {
  checkOptions({ name, ranks: true }, lists, options)
  const norm = options.norm ?? defaultNorm(lists)
  const pool = normalizePool(poolLists(lists, options.depth), norm)
  const { union } = pool
  const { sums, inverses, exact } = reciprocalSums(union)
  const order = orderByValue(
    inverses,
    (a, b) =>
      (exact ? sums[b]! - sums[a]! : compareReciprocalSums(union[b]!, union[a]!)) ||
      compareTied(pool, union[a]!, union[b]!),
  )
  return toHits({ pool, order, scores: sums, term }, options)
}

/** Which document comes first, `a` (negative) or `b`, exactly. */
export function comparePlaces(pool: Pool, a: Place, b: Place): number {
  return compareReciprocalSums(b, a) || compareTied(pool, a, b)
}

/** What decides between equal sums. */
const compareTied = (pool: Pool, a: Place, b: Place): number =>
  bestScore(pool, b) - bestScore(pool, a) || byCodeUnit(a.hit.docid, b.hit.docid)

/** The best score of a document over the lists. Only ties ask for it. */
function bestScore(pool: Pool, first: Place): number {
  let best = scoreAt(pool, first)
  for (let { next } = first; next !== undefined; { next } = next) {
    const score = scoreAt(pool, next)
    if (score > best) best = score
  }
  return best
}

/** What makes the scores of these lists comparable. */
export const defaultNorm = (lists: readonly RankedList[]): 'min-max' | 'none' =>
  lists.some(({ retriever }) => retriever !== lists[0]!.retriever) ? 'min-max' : 'none'
