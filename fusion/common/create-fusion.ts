import { QuerentError } from '../../src/errors.ts'
import { breakTies, byCodeUnit, orderByValue } from '../../src/rank.ts'
import type { FuseOptions, Fusion, Hit, RankedList, Term } from '../../src/types.ts'
import { checkOptions } from './check-options.ts'
import { toHits } from './hits.ts'
import { type Norm, normalizePool } from './normalize.ts'
import { type Place, type Pool, poolLists, scoreAt } from './pool.ts'
import { sum } from './sum.ts'

/** What one list gives to one document. */
export interface Entry extends Term {
  /** Which list, from 0. */
  readonly list: number
  /** The score as the retriever gave it; `score` where nothing was normalised. */
  readonly raw: number
}

/** A fusion method whose score of a document needs nothing but what the lists give to it, and the pool. */
export interface Method {
  readonly name: string
  /** Whether the caller may give weights, or only such from 0. Lists weigh 1 where none are given. Default: false. */
  readonly weighted?: boolean | 'from-0'
  /** The method's own weights, one a list, where it was fitted. */
  readonly weights?: readonly number[]
  /** Whether it looks at ranks, which the normalisation `borda` would spoil. Default: false. */
  readonly ranks?: boolean
  /** How many lists the method was made for, where that is fixed. */
  readonly lists?: number
  /** The normalisation the method is defined with. Default: none. */
  readonly norm?: Norm
  /** The fused score from the entries of the lists that have the document: at least one, in the order of the lists. */
  readonly score: (entries: readonly Entry[], pool: Pool, weights: readonly number[]) => number
  /** See `Fusion`. */
  readonly term?: (entry: Term) => number
  /** Decides between scores closer than `within`: the larger value first. Default: docid alone decides ties. */
  readonly tie?: { readonly within: number; readonly value: (entries: readonly Entry[]) => number }
}

/**
 * A fusion from a method: score every document, order by score and then docid, make hits.
 *
 * Its `fuse` throws what `checkOptions`, `poolLists` and `normalizePool` throw, and for a fused score that is not finite
 * `bad-list`, or `bad-weights` where it would be finite without the weights.
 */
export function createFusion(method: Method): Fusion {
  const { name, tie, term } = method

  function fuse(lists: readonly RankedList[], options: FuseOptions = {}): Hit[] {
    checkOptions(method, lists, options)
    const { depth, norm = method.norm ?? 'none', weights = method.weights } = options
    const pool = normalizePool(poolLists(lists, depth), norm)
    const resolved = weights ?? lists.map(() => 1)

    const scores: number[] = []
    const ties: number[] = []
    for (const first of pool.union) {
      const entries = entriesOf(pool, first, resolved)
      const score = method.score(entries, pool, resolved)
      if (!Number.isFinite(score)) throw overflow(method, pool, first, score)
      scores.push(score)
      if (tie !== undefined) ties.push(tie.value(entries))
    }
    const byDocid = (a: number, b: number): number =>
      byCodeUnit(pool.union[a]!.hit.docid, pool.union[b]!.hit.docid)
    const order = orderByValue(
      scores.map((score) => -score),
      (a, b) => scores[b]! - scores[a]! || byDocid(a, b),
    )
    if (tie !== undefined) {
      breakTies(order, scores, tie.within, (a, b) => ties[b]! - ties[a]! || byDocid(a, b))
    }
    return toHits({ pool, order, scores, weights, term }, options)
  }
  return term === undefined ? { name, fuse } : { name, fuse, term }
}

/** A method whose fused score is the sum of what each list adds. A list that does not have a document adds nothing. */
export function additive(method: Omit<Method, 'score'> & Required<Pick<Method, 'term'>>): Fusion {
  return createFusion({ ...method, score: (entries) => sum(entries.map(method.term)) })
}

/** Of a score that is not finite: the weights have done it where the score is finite without them. */
function overflow(method: Method, pool: Pool, first: Place, score: number): QuerentError {
  const ones = pool.lists.map(() => 1)
  const withoutWeights = method.score(entriesOf(pool, first, ones), pool, ones)
  const what = `${method.name} gives "${first.hit.docid}" the score ${score}`
  return Number.isFinite(withoutWeights)
    ? new QuerentError('bad-weights', what, { remedy: 'Give weights that are nearer to 1.' })
    : new QuerentError('bad-list', what, {
        remedy: 'Normalise the lists, or mend the retriever whose scores are too large.',
      })
}

function entriesOf(pool: Pool, first: Place, weights: readonly number[]): Entry[] {
  const entries: Entry[] = []
  for (let place: Place | undefined = first; place !== undefined; place = place.next) {
    const { list, rank, hit } = place
    entries.push({ list, rank, score: scoreAt(pool, place), raw: hit.score, weight: weights[list]! })
  }
  return entries
}
