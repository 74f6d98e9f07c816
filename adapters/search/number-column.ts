/** The numbers of a field in their order, so that bounds that nobody asked for before need no look at every document. */
import type { NumberRange } from './metadata-filter.ts'

export interface NumberColumn {
  /** Ascending. A document has one for each number in its list, and none if its value is no number. */
  readonly numbers: Float64Array
  /** The position of the document with each number. */
  readonly positions: Uint32Array
}

/**
 * @param values distinct values of the field
 * @param places which of the values each document has
 */
export function numberColumnOf(values: readonly unknown[], places: Uint32Array): NumberColumn {
  const numbersOf = values.map((value) =>
    (Array.isArray(value) ? value : [value]).filter(
      (one: unknown): one is number => typeof one === 'number' && !Number.isNaN(one),
    ),
  )
  const found = Array.from(places, (place, position) =>
    numbersOf[place]!.map((number) => ({ number, position })),
  ).flat()
  found.sort((a, b) => a.number - b.number || a.position - b.position)
  return {
    numbers: Float64Array.from(found, ({ number }) => number),
    positions: Uint32Array.from(found, ({ position }) => position),
  }
}

/** The positions of the documents within the bounds, once for each of their numbers. NaN as a bound: none. */
export function positionsWithin(
  { numbers, positions }: NumberColumn,
  { gt, gte, lt, lte }: NumberRange,
): Uint32Array {
  /** How many numbers come before the first one for which this holds; it holds for all after it. */
  function first(holds: (number: number) => boolean): number {
    let [low, high] = [0, numbers.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (holds(numbers[middle]!)) high = middle
      else low = middle + 1
    }
    return low
  }
  const from = Math.max(
    gte === undefined ? 0 : first((number) => number >= gte),
    gt === undefined ? 0 : first((number) => number > gt),
  )
  const to = Math.min(
    lt === undefined ? numbers.length : first((number) => !(number < lt)),
    lte === undefined ? numbers.length : first((number) => !(number <= lte)),
  )
  return positions.subarray(from, Math.max(from, to))
}
