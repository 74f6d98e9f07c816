/**
 * The one place where rank and ties are decided. Every list of hits in Querent is ordered by a function of this file.
 *
 * Docids are compared by UTF-16 code unit (`<`), never by locale: the order is the same on every machine.
 */
import type { Hit } from './types.ts'

/** Ascending order of two strings by code unit. */
export function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** The fields that order hits. */
export interface Scored {
  readonly docid: string
  readonly score: number
}

/** Querent's order: score descending, then docid ascending. */
export function byScore(a: Scored, b: Scored): number {
  return b.score - a.score || byCodeUnit(a.docid, b.docid)
}

/** trec_eval's order, for reading runs from files: score descending, then docid *descending* (`form_res_rels.c`). */
export function byTrecEval(a: Scored, b: Scored): number {
  return b.score - a.score || byCodeUnit(b.docid, a.docid)
}

/** The first `k` hits in Querent's order, with ranks from 1. `scored` is not changed. */
export function rankHits(scored: readonly Scored[], k: number = scored.length): Hit[] {
  return [...scored]
    .sort(byScore)
    .slice(0, k)
    .map(({ docid, score }, index) => ({ docid, score, rank: index + 1 }))
}

/** Places by score, the highest first. Ties keep their order. */
export function orderOf(scores: ArrayLike<number>): number[] {
  return Array.from(scores, (_, place) => place).sort(
    (one, other) => scores[other]! - scores[one]! || one - other,
  )
}

/** The hits that are kept, in their order, with ranks that have no gaps. */
export const onlyHits = (hits: readonly Hit[], keeps: (hit: Hit) => boolean): Hit[] =>
  hits.filter(keeps).map((hit, place) => ({ ...hit, rank: place + 1 }))
