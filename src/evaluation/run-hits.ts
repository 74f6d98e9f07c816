import type { Hit, SearchResult } from '../types.ts'

/**
 * The hits of a search as a run stores them, without documents. If all hits come from one list in its original order, each
 * hit gets its retriever's score, because fusion would score it by rank alone: a run of BM25 has BM25's scores.
 */
export function runHits({ hits, trace }: SearchResult): Hit[] {
  const fused = trace.steps.findLast((step) => step.type === 'fuse')
  const reranked = trace.steps.some(
    (step) => step.type === 'rerank' && step.error === undefined && step.pool > 0,
  )
  const isSingleList = fused?.lists.length === 1 && !reranked
  return hits.map(({ docid, score, rank, provenance }) => {
    const own = isSingleList && provenance?.length === 1 ? provenance[0]! : { score }
    return { docid, score: own.score, rank }
  })
}
