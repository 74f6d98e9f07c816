/** A set of small whole numbers that is emptied at no cost. */
export interface Marks {
  clear(): void
  /** Whether the number is new to the set. */
  add(number: number): boolean
  /** Makes it hold exactly these. */
  hold(numbers: Iterable<number>): void
  readonly has: (number: number) => boolean
}

export function createMarks(): Marks {
  let marks = new Int32Array(1 << 14)
  let turn = 1

  function add(number: number): boolean {
    if (number >= marks.length) {
      const wider = new Int32Array(1 << (32 - Math.clz32(number)))
      wider.set(marks)
      marks = wider
    }
    const isNew = marks[number] !== turn
    marks[number] = turn
    return isNew
  }

  return {
    clear() {
      turn++
    },
    add,
    hold(numbers) {
      turn++
      for (const number of numbers) add(number)
    },
    has: (number) => marks[number] === turn,
  }
}
