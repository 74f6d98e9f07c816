import { QuerentError } from '../../src/errors.ts'
import { byCodeUnit } from '../../src/rank.ts'
import type { FuseOptions, Fusion, Hit, RankedList, Term } from '../../src/types.ts'
import { breakTies } from './break-ties.ts'
import { checkOptions } from './check-options.ts'
import { toHits } from './hits.ts'
import { type Norm, normalizePool } from './normalize.ts'
import { type Places, type Pool, poolLists, scoreAt } from './pool.ts'
import { sum } from './sum.ts'

/** A document in one list. */
export interface Entry extends Term {
  /** Index of the list. */
  readonly list: number
  /** The retriever's score, not normalized. */
  readonly raw: number
}

/** A fusion method that scores a document by its entries and the pool. */
export interface Method {
  readonly name: string
  /** Whether the caller can give weights, or only non-negative ones. Without them each list has weight 1. Default: false. */
  readonly weighted?: boolean | 'non-negative'
  /** Trained weights, one per list. */
  readonly weights?: readonly number[]
  /** Whether it uses ranks, which the normalization `borda` would spoil. Default: false. */
  readonly ranks?: boolean
  /** How many lists the method was trained for. Default: any number. */
  readonly lists?: number
  /** The normalization that belongs to the method. Default: none. */
  readonly norm?: Norm
  /** The fused score of a document with these entries: at least one, in the order of the lists. */
  readonly score: (entries: readonly Entry[], pool: Pool, weights: readonly number[]) => number
  /** See `Fusion`. */
  readonly term?: (entry: Term) => number
  /** Orders documents whose scores are closer than `within`: the larger value first. Default: by docid. */
  readonly tie?: { readonly within: number; readonly value: (entries: readonly Entry[]) => number }
}

/**
 * Makes a fusion of a method: scores every document, orders by score, then by docid, and makes hits.
 *
 * `fuse` throws the errors of `checkOptions`, `poolLists` and `normalizePool`, and for a fused score that is not finite
 * `bad-list`, or `bad-weights` if the score would be finite without the weights.
 */
export function createFusion(method: Method): Fusion {
  const { name, tie, term } = method

  function fuse(lists: readonly RankedList[], options: FuseOptions = {}): Hit[] {
    checkOptions(method, lists, options)
    const { depth, norm = method.norm ?? 'none', weights = method.weights } = options
    const pool = normalizePool(poolLists(lists, depth), norm)
    const weightOf = weights ?? lists.map(() => 1)

    const scores: number[] = []
    const ties: number[] = []
    for (const places of pool.union) {
      const entries = entriesOf(pool, places, weightOf)
      const score = method.score(entries, pool, weightOf)
      if (!Number.isFinite(score)) throw overflow(method, pool, places, score)
      scores.push(score)
      if (tie !== undefined) ties.push(tie.value(entries))
    }
    const byDocid = (a: number, b: number): number =>
      byCodeUnit(pool.union[a]![0].hit.docid, pool.union[b]![0].hit.docid)
    const order = scores.map((_, doc) => doc).sort((a, b) => scores[b]! - scores[a]! || byDocid(a, b))
    if (tie !== undefined) {
      breakTies(order, scores, tie.within, (a, b) => ties[b]! - ties[a]! || byDocid(a, b))
    }
    return toHits({ pool, order, scores, weights, term }, options)
  }
  return term === undefined ? { name, fuse } : { name, fuse, term }
}

/** Makes a fusion whose score is the sum of a term per list. A list without the document contributes nothing. */
export function additive(method: Omit<Method, 'score'> & Required<Pick<Method, 'term'>>): Fusion {
  return createFusion({ ...method, score: (entries) => sum(entries.map(method.term)) })
}

/** The error for a score that is not finite. It blames the weights if the score is finite without them. */
function overflow(method: Method, pool: Pool, places: Places, score: number): QuerentError {
  const ones = pool.lists.map(() => 1)
  const withoutWeights = method.score(entriesOf(pool, places, ones), pool, ones)
  const what = `${method.name} gives "${places[0].hit.docid}" the score ${score}`
  return Number.isFinite(withoutWeights)
    ? new QuerentError('bad-weights', what, { remedy: 'Give weights that are nearer to 1.' })
    : new QuerentError('bad-list', what, {
        remedy: 'Normalize the lists, or fix the retriever whose scores are too large.',
      })
}

const entriesOf = (pool: Pool, places: Places, weights: readonly number[]): Entry[] =>
  places.map((place) => {
    const { list, rank, hit } = place
    return { list, rank, score: scoreAt(pool, place), raw: hit.score, weight: weights[list]! }
  })
