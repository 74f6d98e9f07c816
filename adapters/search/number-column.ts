/** The numbers of a field in their order, so that bounds that nobody asked for before need no look at every document. */
import type { FieldCondition, Range } from './metadata-filter.ts'

export interface NumberColumn {
  /** Ascending. Documents whose value is no number have none here. */
  readonly numbers: Float64Array
  /** The position of the document with each number. */
  readonly positions: Uint32Array
}

/**
 * @param values distinct values of the field
 * @param places which of the values each document has
 * @returns `undefined` if a value is a list, of which any element may be within bounds
 */
export function numberColumnOf(values: readonly unknown[], places: Uint32Array): NumberColumn | undefined {
  if (values.some((value) => Array.isArray(value))) return undefined
  const numberAt = (position: number): number => values[places[position]!] as number
  const positions = Uint32Array.from(places.keys())
    .filter((position) => typeof numberAt(position) === 'number' && !Number.isNaN(numberAt(position)))
    .sort((a, b) => numberAt(a) - numberAt(b) || a - b)
  return { numbers: Float64Array.from(positions, numberAt), positions }
}

/** The bounds of a condition that are all numbers; `undefined` for any other condition. */
export function numberBounds(condition: FieldCondition): Range | undefined {
  if (typeof condition !== 'object' || Array.isArray(condition) || 'not' in condition) return undefined
  const range = condition as Range
  const isOfNumbers = Object.values(range).every((bound) => bound === undefined || typeof bound === 'number')
  return isOfNumbers ? range : undefined
}

/** The positions of the documents within bounds of numbers. NaN as a bound: none. */
export function positionsWithin(
  { numbers, positions }: NumberColumn,
  { gt, gte, lt, lte }: Range,
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
    gte === undefined ? 0 : first((number) => number >= Number(gte)),
    gt === undefined ? 0 : first((number) => number > Number(gt)),
  )
  const to = Math.min(
    lt === undefined ? numbers.length : first((number) => !(number < Number(lt))),
    lte === undefined ? numbers.length : first((number) => !(number <= Number(lte))),
  )
  return positions.subarray(from, Math.max(from, to))
}
