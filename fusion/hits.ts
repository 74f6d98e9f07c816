/** From an order of documents to fused hits: what every fusion method ends with. */
import type { Contribution, FuseOptions, Fusion, Hit } from '../src/types.ts'
import type { Pool } from './pool.ts'

export interface Fused {
  readonly pool: Pool
  /** The documents of the pool, best first. */
  readonly order: Int32Array
  /** The fused score of each document of the pool. */
  readonly scores: readonly number[]
  /** The lists before normalisation, where the pool is of normalised ones. */
  readonly raw?: Pool | undefined
  readonly weights?: readonly number[] | undefined
  readonly term?: Fusion['term']
}

/** The first `k` documents as hits. */
export function toHits(
  fused: Fused,
  { k = Number.POSITIVE_INFINITY, provenance = false }: FuseOptions,
): Hit[] {
  const { pool, order, scores } = fused
  const hits: Hit[] = []
  for (let place = 0; place < order.length && place < k; place++) {
    const doc = order[place]!
    const hit = { docid: pool.docids[doc]!, score: scores[doc]!, rank: place + 1 }
    const document = pool.documents.get(doc)
    const complete = document === undefined ? hit : { ...hit, document }
    hits.push(provenance ? { ...complete, provenance: contributions(fused, doc) } : complete)
  }
  return hits
}

/** What each list gave to a document, in the order of the lists. */
function contributions({ pool, raw = pool, weights, term }: Fused, doc: number): Contribution[] {
  const given = pool.lists.flatMap(({ retriever, subQuery }, list) => {
    const cell = doc * pool.lists.length + list
    const rank = pool.ranks[cell]!
    if (rank === 0) return []
    const score = pool.scores[cell]!
    const weight = weights?.[list]
    const contribution: Contribution = {
      retriever,
      subQuery,
      rank,
      score: raw.lists[list]!.hits[rank - 1]?.score ?? score,
      ...(raw !== pool && { normalized: score }),
      ...(weight !== undefined && { weight }),
    }
    return [{ contribution, value: term?.({ rank, score, weight: weight ?? 1 }) }]
  })
  const total = given.reduce((sum, { value = 0 }) => sum + Math.abs(value), 0)
  return given.map(({ contribution, value }) =>
    value === undefined
      ? contribution
      : { ...contribution, share: total === 0 ? 1 / given.length : Math.abs(value) / total },
  )
}
