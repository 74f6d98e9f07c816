/**
 * Makes scores strictly decreasing, so that every tool that sorts by score sees the order of the list.
 *
 * A score stays unchanged if it is below the previous one. Otherwise (ties, or a list that is not sorted by score) it
 * becomes the next lower number. Comparisons use single precision, since trec_eval before version 10 reads scores as 32-bit
 * floats. If the scores leave the range of single precision, each becomes 1 / rank.
 */
export function decreasingScores(scores: readonly number[]): number[] {
  let last = Infinity
  const decreasing = scores.map((score) => {
    const single = Math.fround(score)
    const below = single < last ? score : nextBelow(last)
    last = Math.fround(below)
    return below
  })
  return decreasing.every((score) => Number.isFinite(Math.fround(score)))
    ? decreasing
    : scores.map((_, index) => 1 / (index + 1))
}

const single = new Float32Array(1)
const bits = new Int32Array(single.buffer)

/** The largest 32-bit float below `value`, which is a 32-bit float itself. */
function nextBelow(value: number): number {
  if (value === 0) return -(2 ** -149)
  single[0] = value
  bits[0]! += value > 0 ? -1 : 1
  return single[0]!
}
