/**
 * Probabilities in proportion to e^score. Scores far apart do not overflow; equal ones get equal shares.
 *
 * @param count How many of the scores count. Default: all
 * @param into Where they are written; may be `scores` itself. Default: a new array
 */
export function softmax(
  scores: Float64Array,
  count: number = scores.length,
  into: Float64Array = new Float64Array(count),
): Float64Array {
  let highest = -Infinity
  for (let index = 0; index < count; index++) if (scores[index]! > highest) highest = scores[index]!
  let sum = 0
  for (let index = 0; index < count; index++) {
    const share = Math.exp(scores[index]! - highest)
    into[index] = share
    sum += share
  }
  for (let index = 0; index < count; index++) into[index]! /= sum
  return into
}
