/**
 * Assigns ids to pairs of non-negative integers, from 1, in the order of their first lookup. Much faster than a Map of
 * strings.
 */
export interface PairIndex {
  /** The id of a pair. A new pair gets the next id. */
  of(a: number, b: number): number
  /** Number of pairs with ids. */
  readonly size: number
}

export function createPairIndex(): PairIndex {
  // Open addressing. A slot is three numbers: a, b and the id. The id of an empty slot is 0.
  let slots = new Int32Array(3 << 12)
  let size = 0

  function slotOf(a: number, b: number): number {
    const mask = slots.length / 3 - 1
    let slot = (Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca6b)) >>> 0
    slot = (slot ^ (slot >>> 15)) & mask
    while (slots[3 * slot + 2] !== 0 && (slots[3 * slot] !== a || slots[3 * slot + 1] !== b))
      slot = (slot + 1) & mask
    return 3 * slot
  }

  function put(slot: number, a: number, b: number, id: number): void {
    slots[slot] = a
    slots[slot + 1] = b
    slots[slot + 2] = id
  }

  function grow(): void {
    const smaller = slots
    slots = new Int32Array(2 * smaller.length)
    for (let slot = 0; slot < smaller.length; slot += 3) {
      const [a, b, id] = [smaller[slot]!, smaller[slot + 1]!, smaller[slot + 2]!]
      if (id !== 0) put(slotOf(a, b), a, b, id)
    }
  }

  return {
    of(a, b) {
      const slot = slotOf(a, b)
      const known = slots[slot + 2]!
      if (known !== 0) return known
      put(slot, a, b, ++size)
      if (6 * size > slots.length) grow()
      return size
    },
    get size() {
      return size
    },
  }
}
