/**
 * Probabilities proportional to e^score, without overflow. Equal scores get equal probabilities.
 *
 * @param count how many of the first scores to use. Default: all
 * @param into where to write; may be `scores` itself. Default: a new array
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
