/** A set of small non-negative integers that can be cleared in constant time. */
export interface IntSet {
  clear(): void
  /** Adds a number. Returns whether it was new. */
  add(number: number): boolean
  /** Makes the set hold exactly these numbers. */
  reset(numbers: ArrayLike<number>): void
  readonly has: (number: number) => boolean
}

/** @param lastRound after so many rounds all marks are wiped. Default: as many as a mark can tell apart */
export function createIntSet(lastRound = 2 ** 31 - 1): IntSet {
  /** A number is in the set if its mark equals the current round. */
  let marks = new Int32Array(1 << 14)
  let round = 1

  function add(number: number): boolean {
    if (number >= marks.length) {
      const wider = new Int32Array(1 << (32 - Math.clz32(number)))
      wider.set(marks)
      marks = wider
    }
    const isNew = marks[number] !== round
    marks[number] = round
    return isNew
  }

  function clear(): void {
    if (round === lastRound) {
      marks.fill(0)
      round = 0
    }
    round++
  }

  return {
    clear,
    add,
    reset(numbers) {
      clear()
      for (let place = 0; place < numbers.length; place++) add(numbers[place]!)
    },
    has: (number) => marks[number] === round,
  }
}
