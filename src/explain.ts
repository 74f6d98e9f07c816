/** Why each hit is there: what every list gave to it, and its fused score computed once more from that. */
import { QuerentError } from './errors.ts'
import type { Contribution, Fusion, Hit, RankedList, Step, Trace } from './types.ts'

export interface Explanation {
  readonly docid: string
  readonly rank: number
  readonly score: number
  /** Of a hit that was re-ranked: the rank and score it was fused to. */
  readonly fused?: { readonly rank: number; readonly score: number }
  /** The fused score computed anew: equal to `fused.score`, or to `score` where nothing was re-ranked, to 1e-12. */
  readonly recomputed: number
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
  return trace.outcome.hits.map(({ docid, rank, score, fused: before, provenance = [] }) => ({
    docid,
    rank,
    score,
    ...(before && { fused: before }),
    recomputed: term === undefined ? (again?.get(docid) ?? Number.NaN) : sumOfTerms(provenance, term),
    contributions: provenance,
  }))
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

/** The lists that took part, from the legs of the trace. */
function listsOf(trace: Trace, { lists }: Fused): RankedList[] {
  const legs = trace.steps.flatMap((step) => (step.type === 'retrieve' ? step.legs : []))
  return lists.flatMap(({ retriever, subQuery }) => {
    const leg = legs.find((found) => found.retriever === retriever && found.subQuery.text === subQuery.text)
    if (leg?.hits === undefined) return []
    return [{ retriever, subQuery, hits: leg.hits.map((hit, index) => ({ ...hit, rank: index + 1 })) }]
  })
}
