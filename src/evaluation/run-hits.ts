import type { Hit, SearchResult } from '../types.ts'

/**
 * The hits of a search as a run has them: without documents. Where they are those of one list in its own order, which fusion
 * scores by rank alone, each has the score that its retriever gave it: a run of BM25 has BM25's scores.
 */
export function runHits({ hits, trace }: SearchResult): Hit[] {
  const fused = trace.steps.findLast((step) => step.type === 'fuse')
  const reranked = trace.steps.some(
    (step) => step.type === 'rerank' && step.error === undefined && step.pool > 0,
  )
  const isOwn = fused?.lists.length === 1 && !reranked
  return hits.map(({ docid, score, rank, provenance }) => {
    const own = isOwn && provenance?.length === 1 ? provenance[0]! : { score }
    return { docid, score: own.score, rank }
  })
}
