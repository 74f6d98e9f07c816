/** The sum of numbers, added from the smallest on, so that it does not depend on the order of the lists they come from. */
export function sum(values: readonly number[]): number {
  // Two numbers give the same either way.
  const ordered = values.length > 2 ? [...values].sort((a, b) => a - b) : values
  return ordered.reduce((total, value) => total + value, 0)
}
