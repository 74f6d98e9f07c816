/**
 * Scores that fall strictly from hit to hit, so that every tool that sorts by score sees the order of the list.
 *
 * A score is kept as it is wherever it lies below the one before; where it does not (ties, or an order that was made by
 * other means), it becomes the next number below. "Below" is judged in single precision, since trec_eval before version
 * 10 reads scores as 32-bit floats. A list that falls below what single precision can hold gets 1 / rank instead.
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

/** The largest 32-bit float below `value`, itself one. */
function nextBelow(value: number): number {
  if (value === 0) return -(2 ** -149)
  single[0] = value
  bits[0]! += value > 0 ? -1 : 1
  return single[0]!
}
