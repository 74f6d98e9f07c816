/** From an order of documents to fused hits: what every fusion method ends with. */
import type { Contribution, FuseOptions, Fusion, Hit } from '../src/types.ts'
import type { Pool } from './pool.ts'

export interface Fused {
  readonly pool: Pool
  /** The documents of the pool, best first. */
  readonly order: Int32Array
  /** The fused score of each document of the pool. */
  readonly scores: readonly number[]
  /** Whether the scores of the pool are normalised. */
  readonly normalized: boolean
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
  const hits: Hit[] = []
  for (let place = 0; place < order.length && place < k; place++) {
    const doc = order[place]!
    const docid = pool.docids[doc]!
    const score = scores[doc]!
    const rank = place + 1
    const document = pool.documents[doc]
    const hit: Writable<Hit> =
      document === undefined ? { docid, score, rank } : { docid, score, rank, document }
    if (provenance) hit.provenance = contributions(fused, doc)
    hits.push(hit)
  }
  return hits
}

/** What each list gave to a document, in the order of the lists. Shares are of the terms' absolute values. */
function contributions({ pool, normalized, weights, term }: Fused, doc: number): Contribution[] {
  const { lists, ranks, scores } = pool
  const given: Writable<Contribution>[] = []
  let total = 0
  for (let list = 0; list < lists.length; list++) {
    const cell = doc * lists.length + list
    const rank = ranks[cell]!
    if (rank === 0) continue
    const { retriever, subQuery, hits } = lists[list]!
    const score = scores[cell]!
    const contribution: Writable<Contribution> = { retriever, subQuery, rank, score: hits[rank - 1]!.score }
    if (normalized) contribution.normalized = score
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
