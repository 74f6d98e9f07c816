/** Turns an order of documents into fused hits: the last step of every fusion method. */
import type { Contribution, FuseOptions, Fusion, Hit } from '../../src/types.ts'
import { documentAt, type Places, type Pool, scoreAt } from './pool.ts'

export interface Fused {
  readonly pool: Pool
  /** The documents of the pool, best first. */
  readonly order: readonly number[]
  /** The fused score of each document of the pool. */
  readonly scores: readonly number[]
  readonly weights?: readonly number[] | undefined
  readonly term?: Fusion['term']
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] }

/** The first `k` documents as hits. */
export function toHits(
  fused: Fused,
  { k = Number.POSITIVE_INFINITY, provenance = false }: FuseOptions,
): Hit[] {
  const { pool, order, scores } = fused
  const count = Math.min(order.length, k)
  const hits = new Array<Hit>(count)
  for (let index = 0; index < count; index++) {
    const doc = order[index]!
    const places = pool.union[doc]!
    const { docid } = places[0].hit
    const document = documentAt(places)
    const score = scores[doc]!
    const rank = index + 1
    const hit: Writable<Hit> =
      document === undefined ? { docid, score, rank } : { docid, score, rank, document }
    if (provenance) hit.provenance = contributions(fused, places)
    hits[index] = hit
  }
  return hits
}

/** What each list contributed to a document, in the order of the lists. Shares are of the terms' absolute values. */
function contributions({ pool, weights, term }: Fused, places: Places): Contribution[] {
  const given: Writable<Contribution>[] = []
  let total = 0
  for (const place of places) {
    const { list, rank, hit } = place
    const { retriever, subQuery } = pool.lists[list]!
    const score = scoreAt(pool, place)
    const contribution: Writable<Contribution> = { retriever, subQuery, rank, score: hit.score }
    if (pool.normalized !== undefined) contribution.normalized = score
    if (weights !== undefined) contribution.weight = weights[list]!
    if (term !== undefined) {
      contribution.share = Math.abs(term({ rank, score, weight: weights?.[list] ?? 1 }))
      total += contribution.share
    }
    given.push(contribution)
  }
  for (const contribution of given) {
    if (contribution.share !== undefined) {
      contribution.share = total === 0 ? 1 / given.length : contribution.share / total
    }
  }
  return given
}
