/** Hits in another order: that of new scores, or with some of them in front. */

import { inTurns } from './in-turns.ts'
import type { FirstDocids } from './policy.ts'
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

/**
 * The hits of several lists, which take turns. Of a document in several of them, the hit with the highest confidence stays. All have
 * the score 1/rank, and keep the rank and score of the fusion of all lists in `fused`.
 *
 * @param lists best first, each re-ranked by itself
 * @param fused the hits of all lists
 */
export function rerankedInTurns(lists: readonly (readonly Hit[])[], fused: readonly Hit[]): Hit[] {
  const byConfidence = lists.flat().toSorted((one, other) => (one.confidence ?? 0) - (other.confidence ?? 0))
  const found = new Map(byConfidence.map((hit) => [hit.docid, hit]))
  const before = new Map(fused.map((hit) => [hit.docid, hit]))
  return inTurns(lists).map(({ docid }, place) => {
    const { rank, score, ...hit } = { ...found.get(docid)!, ...before.get(docid) }
    return { ...hit, rank: place + 1, score: 1 / (place + 1), fused: hit.fused ?? { rank, score } }
  })
}

/** These docids first, then the others in their order. */
export function inFront(hits: readonly Hit[], first: FirstDocids): Hit[] {
  const byDocid = new Map(hits.map((hit) => [hit.docid, hit]))
  const docids = first.flatMap((group) => (typeof group === 'string' ? group : docidsIn(hits, group)))
  const front = [...new Set(docids)].flatMap((docid) => byDocid.get(docid) ?? [])
  const isFront = new Set(front)
  return [...front, ...hits.filter((hit) => !isFront.has(hit))].map((hit, place) => ({
    ...hit,
    rank: place + 1,
    score: 1 / (place + 1),
    fused: hit.fused ?? { rank: hit.rank, score: hit.score },
  }))
}

const docidsIn = (hits: readonly Hit[], docids: ReadonlySet<string>): string[] =>
  hits.flatMap(({ docid }) => (docids.has(docid) ? docid : []))

/** The re-ranked hits, but first these docids; those that re-ranking left out follow in the given order. */
export function keptInFront(reranked: readonly Hit[], given: readonly Hit[], first: FirstDocids): Hit[] {
  const known = new Set(reranked.map(({ docid }) => docid))
  const isFirst = (docid: string): boolean =>
    first.some((group) => (typeof group === 'string' ? group === docid : group.has(docid)))
  const left = given.filter(({ docid }) => !known.has(docid) && isFirst(docid))
  return inFront([...reranked, ...left], first)
}
