/** Sets of up to 32 members, as the bits of a number. */

/** How many members a set has. */
export function countBits(bits: number): number {
  let count = 0
  for (let left = bits; left !== 0; left &= left - 1) count++
  return count
}
