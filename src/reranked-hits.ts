/** Hits in the order of new scores. */
import type { Scored } from './rank.ts'
import type { Hit } from './types.ts'

/**
 * The scored documents first, then the other fused hits in their order. Those get scores below the lowest one, so that scores
 * never contradict ranks. Every hit that was fused keeps its fused rank and score in `fused`.
 *
 * @param scored best first, each document once; documents that were not fused are brought in
 */
export function rerankedHits(fused: readonly Hit[], scored: readonly Scored[]): readonly Hit[] {
  const before = new Map(fused.map((hit) => [hit.docid, hit]))
  const hits = scored.map(({ docid, score }, index): Hit => {
    const hit = before.get(docid)
    before.delete(docid)
    const moved = { docid, score, rank: index + 1 }
    return hit === undefined ? moved : { ...hit, ...moved, fused: { rank: hit.rank, score: hit.score } }
  })
  const lowest = hits.at(-1)?.score ?? 0
  const rest = [...before.values()].map((hit, index): Hit => {
    const fused = { rank: hit.rank, score: hit.score }
    return { ...hit, score: lowest - 1 - index, rank: hits.length + 1 + index, fused }
  })
  return [...hits, ...rest]
}
