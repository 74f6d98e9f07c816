/** A fusion method: a document is as good as its best rank in any list. */
import { type Fusion, rankHits } from 'querent'

export function bestRank(): Fusion {
  return {
    name: 'best-rank',
    fuse(lists, { k, depth, provenance = false } = {}) {
      const best = new Map<string, number>()
      for (const { hits } of lists)
        for (const { docid, rank } of hits.slice(0, depth))
          best.set(docid, Math.max(best.get(docid) ?? 0, 1 / rank))
      const scored = Array.from(best, ([docid, score]) => ({ docid, score }))
      const fused = rankHits(scored, k)
      if (!provenance) return fused
      return fused.map((hit) => ({
        ...hit,
        provenance: lists.flatMap(({ retriever, subQuery, hits }) =>
          hits
            .filter(({ docid }) => docid === hit.docid)
            .map(({ rank, score }) => ({ retriever, subQuery, rank, score })),
        ),
      }))
    },
  }
}
