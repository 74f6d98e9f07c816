/** Moves hits to the front of a list. */
import type { FirstDocids } from './policy.ts'
import type { Hit } from './types.ts'

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
