/** The sum of numbers, added from the smallest on, so that it does not depend on the order of the lists they come from. */
export function sum(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b).reduce((total, value) => total + value, 0)
}
