/** The sum, added from the smallest value up, so that it does not depend on the order of the lists. */
export function sum(values: readonly number[]): number {
  // Two numbers have the same sum in both orders.
  const ordered = values.length > 2 ? [...values].sort((a, b) => a - b) : values
  return ordered.reduce((total, value) => total + value, 0)
}
