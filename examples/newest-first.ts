/** A re-ranker: the newest first among the best hits, by the year in their metadata. */
import type { Reranker } from 'querent'

export function newestFirst(window = 20): Reranker {
  return {
    reads: true,
    window,
    rerank(_query, _lists, fused, documentOf) {
      const yearOf = (docid: string): number => Number(documentOf(docid)?.metadata?.year ?? 0)
      return [...fused]
        .sort((a, b) => yearOf(b.docid) - yearOf(a.docid) || a.rank - b.rank)
        .map((hit, index) => ({
          ...hit,
          rank: index + 1,
          score: 1 / (index + 1),
          fused: { rank: hit.rank, score: hit.score },
        }))
    },
  }
}
