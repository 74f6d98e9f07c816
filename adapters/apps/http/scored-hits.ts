/** Hits with scores from 0 to 1, as other protocols want them. */
import type { Hit } from '../../../src/types.ts'

/**
 * Each hit with a score that never rises down the list: the highest confidence from its own rank on. Without any confidence the
 * scores are 1/rank and say nothing but the order.
 *
 * @param threshold hits with lower scores are left out; without any confidence none are
 */
export function scoredHits(
  hits: readonly Hit[],
  threshold = 0,
): readonly { readonly hit: Hit; readonly score: number }[] {
  if (hits.every(({ confidence }) => confidence === undefined))
    return hits.map((hit) => ({ hit, score: 1 / hit.rank }))
  let highest = 0
  return hits
    .toReversed()
    .map((hit) => {
      highest = Math.max(highest, hit.confidence ?? 0)
      return { hit, score: highest }
    })
    .toReversed()
    .filter(({ score }) => score >= threshold)
}
