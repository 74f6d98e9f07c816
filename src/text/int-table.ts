/** A small hash table from numbers to numbers other than 0. It is much faster than a Map where most numbers are not in it. */

/** @returns a function that returns the value of a number, or 0 if it has none */
export function createIntTable(entries: ReadonlyMap<number, number>): (number: number) => number {
  const size = 1 << (34 - Math.clz32(entries.size))
  const keys = new Int32Array(size).fill(-1)
  const values = new Int32Array(size)
  for (const [number, value] of entries) {
    let slot = number & (size - 1)
    while (keys[slot] !== -1) slot = (slot + 1) & (size - 1)
    keys[slot] = number
    values[slot] = value
  }
  return (number) => {
    let slot = number & (size - 1)
    while (keys[slot] !== number) {
      if (keys[slot] === -1) return 0
      slot = (slot + 1) & (size - 1)
    }
    return values[slot]!
  }
}
