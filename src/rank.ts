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

/** How far apart, as a part of the largest, two values must be for `orderByValue` to trust them. */
const closeness = 1e-9

/** More indices than this in one bucket, and the values are too uneven for buckets to be of use. */
const crowd = 64

/**
 * The indices of `values` in ascending order of value. Between values that are close, ties above all, `compare` decides.
 *
 * Calling `compare` is most of what a sort costs, and a fusion is little else. Here a counting sort by value brings every
 * index near its place and an insertion sort finishes, so that `compare` is called for close values only.
 *
 * Every index comes up once, whatever the values and `compare` are; a NaN is placed anywhere.
 *
 * @param compare a total order of the indices; it must agree with the values where they are more than a billionth apart
 */
export function orderByValue(
  values: readonly number[],
  compare: (a: number, b: number) => number,
): Int32Array {
  const count = values.length
  let lowest = Number.POSITIVE_INFINITY
  let highest = Number.NEGATIVE_INFINITY
  for (const value of values) {
    if (value < lowest) lowest = value
    if (value > highest) highest = value
  }

  const scale = (count - 1) / (highest - lowest)
  // One value, or a span too small or too large for a double: there are no buckets.
  if (!(scale > 0 && scale < Number.POSITIVE_INFINITY)) return orderByComparing(count, compare)

  const sizes = new Int32Array(count)
  let largest = 0
  for (let index = 0; index < count; index++) {
    const bucket = ((values[index]! - lowest) * scale) | 0
    const size = ++sizes[bucket]!
    if (size > largest) largest = size
  }
  if (largest > crowd) return orderByComparing(count, compare)

  // The size of a bucket becomes the place where its next index goes, filling it from its end.
  for (let bucket = 1; bucket < count; bucket++) sizes[bucket]! += sizes[bucket - 1]!
  const order = new Int32Array(count)
  for (let index = count - 1; index >= 0; index--)
    order[--sizes[((values[index]! - lowest) * scale) | 0]!] = index

  const slack = closeness * Math.max(Math.abs(lowest), Math.abs(highest))
  for (let place = 1; place < count; place++) {
    const index = order[place]!
    const below = values[index]! - slack
    let at = place
    while (at > 0) {
      const other = order[at - 1]!
      if (values[other]! < below || compare(other, index) <= 0) break
      order[at] = other
      at--
    }
    order[at] = index
  }
  return order
}

const orderByComparing = (count: number, compare: (a: number, b: number) => number): Int32Array =>
  Int32Array.from({ length: count }, (_, index) => index).sort(compare)

/** Reorders, in place, each run of neighbours whose scores are closer than `within`, by `compare`. `order` is best first. */
export function breakTies(
  order: Int32Array,
  scores: readonly number[],
  within: number,
  compare: (a: number, b: number) => number,
): void {
  let start = 0
  for (let place = 1; place <= order.length; place++) {
    const apart = place === order.length || scores[order[place - 1]!]! - scores[order[place]!]! >= within
    if (!apart) continue
    order.subarray(start, place).sort(compare)
    start = place
  }
}
