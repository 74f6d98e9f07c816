/** The smallest and the largest value; ∞ and −∞ if there are none. */
export function rangeOf(values: readonly number[]): readonly [lowest: number, highest: number] {
  let lowest = Number.POSITIVE_INFINITY
  let highest = Number.NEGATIVE_INFINITY
  for (const value of values) {
    if (value < lowest) lowest = value
    if (value > highest) highest = value
  }
  return [lowest, highest]
}
