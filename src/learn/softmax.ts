/**
 * Probabilities proportional to e^score, computed without overflow. Equal scores get equal probabilities.
 *
 * @param count number of scores to use, from the first. Default: all
 * @param into the array to write to; may be `scores` itself. Default: a new array
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
