/** The arithmetic mean. 0 for no numbers. */
export function mean(values: Iterable<number>): number {
  let count = 0
  let sum = 0
  for (const value of values) {
    sum += value
    count++
  }
  return count > 0 ? sum / count : 0
}

/**
 * The `q`-quantile (0 to 1) of numbers in ascending order, with linear interpolation between neighbors (type 7 of
 * Hyndman and Fan, 1996; numpy's default). 0 for no numbers.
 */
export function quantile(ascending: ArrayLike<number>, q: number): number {
  const position = (ascending.length - 1) * q
  const below = Math.floor(position)
  const low = ascending[below] ?? 0
  const high = ascending[below + 1] ?? low
  return low + (high - low) * (position - below)
}
