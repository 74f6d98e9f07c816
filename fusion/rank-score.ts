import { byCodeUnit } from '../src/rank.ts'
import type { FuseOptions, Fusion, Hit, RankedList, Term } from '../src/types.ts'
import { checkOptions } from './common/check-options.ts'
import { compareReciprocalSums, reciprocalSums } from './common/fraction.ts'
import { toHits } from './common/hits.ts'
import { normalizePool } from './common/normalize.ts'
import { type Places, type Pool, poolLists, scoreAt } from './common/pool.ts'

const name = 'rank-score'
/** Far above what rounding changes of a sum: sums that are further apart, relative to one, compare as their fractions do. */
const closeness = 1e-9

const term = ({ rank }: Term): number => 1 / rank

/**
 * Rank-score fusion: orders documents by P(d) = 1 / Σ 1/rank over the lists that have d, ascending; then by their best score
 * in any list, descending; then by docid, ascending. ACQO ("When should I search more: adaptive complex query optimization
 * with reinforcement learning"), eq. 1 and 2; the third key is Querent's. A hit's score is Σ 1/rank.
 *
 * The order is that of RRF with k = 0, with ties broken by score. P is compared as an exact fraction, because doubles break
 * ties at random (`common/fraction.ts`).
 *
 * The scores of one retriever are compared as they are. Lists of several retrievers are min-max-normalized first, each by
 * itself, because any BM25 score would beat every cosine. The option `norm` overrides both. Weights are an error.
 */
export function rankScore(): Fusion {
  return { name, term, fuse }
}

function fuse(lists: readonly RankedList[], options: FuseOptions = {}): Hit[] {
  checkOptions({ name, ranks: true }, lists, options)
  const pool = normalizePool(poolLists(lists, options.depth), options.norm ?? defaultNorm(lists))
  const { union } = pool
  const { sums, isExact } = reciprocalSums(union)
  // Eq. 1: P(d) = 1 / Σ 1/rank. Eq. 2: ascending P, that is, descending sum; then descending score.
  const order = union
    .map((_, doc) => doc)
    .sort((a, b) => {
      const difference = sums[b]! - sums[a]!
      const isSure = isExact || Math.abs(difference) > closeness * sums[a]!
      return (
        (isSure ? difference : compareReciprocalSums(union[b]!, union[a]!)) ||
        compareTied(pool, union[a]!, union[b]!)
      )
    })
  return toHits({ pool, order, scores: sums, term }, options)
}

/** Whether a document of a pool comes before (negative) or after (positive) another, by their places in its lists. */
export function comparePlaces(pool: Pool, a: Places, b: Places): number {
  return compareReciprocalSums(b, a) || compareTied(pool, a, b)
}

/** Orders documents with equal sums: by best score, then by docid. */
const compareTied = (pool: Pool, a: Places, b: Places): number =>
  bestScore(pool, b) - bestScore(pool, a) || byCodeUnit(a[0].hit.docid, b[0].hit.docid)

/** The best score of a document in any list. Computed only for ties. */
function bestScore(pool: Pool, places: Places): number {
  let best = Number.NEGATIVE_INFINITY
  for (const place of places) best = Math.max(best, scoreAt(pool, place))
  return best
}

/** The normalization that makes the scores of these lists comparable. */
export const defaultNorm = (lists: readonly RankedList[]): 'min-max' | 'none' =>
  lists.some(({ retriever }) => retriever !== lists[0]!.retriever) ? 'min-max' : 'none'
