/** Why each hit is there: the contribution of every list, and the fused score recomputed from the contributions. */
import { isAsAsked, subQueryKey } from './dedupe.ts'
import { QuerentError } from './errors.ts'
import type { Contribution, Fusion, Hit, RankedList, Step, Trace } from './types.ts'

export interface Explanation {
  readonly docid: string
  readonly rank: number
  readonly score: number
  /** The rank and score that fusion gave to a hit that was re-ranked. */
  readonly fused?: { readonly rank: number; readonly score: number }
  /**
   * The recomputed fused score: equal, to 1e-12, to `fused.score`, or to `score` if nothing was re-ranked. Absent for a hit
   * that re-ranking took from lists that were not fused.
   */
  readonly recomputed?: number
  /** What its age multiplied 1/rank by, if hits were ordered by age. */
  readonly recency?: number
  readonly contributions: readonly Contribution[]
}

/**
 * Explains the fused hits of a trace. The score of an additive method is recomputed from a hit's provenance, that of any
 * other method by fusing the lists of the trace again.
 *
 * @param fusion the method the search used
 * @throws QuerentError `bad-config` when the trace was fused with another method
 */
export function explain(trace: Trace, fusion: Fusion): Explanation[] {
  const fused = trace.steps.findLast((step) => step.type === 'fuse')
  if (fused === undefined) return []
  if (fused.method !== fusion.name) {
    throw new QuerentError('bad-config', `The trace was fused with ${fused.method}, not with ${fusion.name}`)
  }
  const { term } = fusion
  const again =
    term === undefined
      ? scoresOf(fusion.fuse(listsOf(trace, fused), fused.norm === undefined ? {} : { norm: fused.norm }))
      : undefined
  const isReranked = trace.steps.some(
    (step) => step.type === 'rerank' && step.error === undefined && step.pool > 0,
  )
  return trace.outcome.hits.map(({ docid, rank, score, fused: before, recency, provenance = [] }) => ({
    docid,
    rank,
    score,
    ...(before && { fused: before }),
    ...(recency !== undefined && { recency }),
    ...((before !== undefined || !isReranked) && {
      recomputed: term === undefined ? (again?.get(docid) ?? Number.NaN) : sumOfTerms(provenance, term),
    }),
    contributions: provenance,
  }))
}

/** The ranks that the user's words alone would have given, by the same fusion. */
export function ranksAlone(trace: Trace, fusion: Fusion): ReadonlyMap<string, number> {
  const lists = answeredLists(trace).filter(({ subQuery }) => subQuery.round === 0)
  const norm = trace.steps.findLast((step) => step.type === 'fuse')?.norm
  const hits = fusion.fuse(lists, norm === undefined ? {} : { norm })
  return new Map(hits.map(({ docid }, place) => [docid, place + 1]))
}

/** The lists of a search, as re-ranking saw them. */
export const answeredLists = (trace: Trace): RankedList[] =>
  allLists(trace).filter(({ subQuery }) => isAsAsked(subQuery))

function allLists({ steps }: Trace): RankedList[] {
  const legs = steps.flatMap((step) => (step.type === 'retrieve' ? step.legs : []))
  return legs.flatMap(({ retriever, kind, subQuery, hits }) =>
    hits === undefined
      ? []
      : [
          {
            retriever,
            ...(kind && { kind }),
            subQuery,
            hits: hits.map((hit, index) => ({ ...hit, rank: index + 1 })),
          },
        ],
  )
}

const scoresOf = (hits: readonly Hit[]): Map<string, number> =>
  new Map(hits.map(({ docid, score }) => [docid, score]))

function sumOfTerms(provenance: readonly Contribution[], term: NonNullable<Fusion['term']>): number {
  return provenance.reduce(
    (sum, { rank, score, normalized, weight }) =>
      sum + term({ rank, score: normalized ?? score, weight: weight ?? 1 }),
    0,
  )
}

type Fused = Extract<Step, { readonly type: 'fuse' }>

/** The lists that took part. */
function listsOf(trace: Trace, { lists }: Fused): RankedList[] {
  const answered = allLists(trace)
  return lists.flatMap(({ retriever, subQuery }) => {
    const key = subQueryKey(subQuery)
    const list = answered.find((one) => one.retriever === retriever && subQueryKey(one.subQuery) === key)
    return list ?? []
  })
}
