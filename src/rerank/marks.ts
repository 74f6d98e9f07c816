/** A set of small whole numbers that is emptied at no cost. */
export interface Marks {
  /** Makes it hold exactly these. */
  hold(numbers: Iterable<number>): void
  readonly has: (number: number) => boolean
}

export function createMarks(): Marks {
  let marks = new Int32Array(1 << 14)
  let turn = 0
  return {
    hold(numbers) {
      turn++
      for (const number of numbers) {
        if (number >= marks.length) {
          const wider = new Int32Array(1 << (32 - Math.clz32(number)))
          wider.set(marks)
          marks = wider
        }
        marks[number] = turn
      }
    },
    has: (number) => marks[number] === turn,
  }
}
