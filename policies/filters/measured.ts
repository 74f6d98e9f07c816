/** Which field numbers are about, and what they say of it. */
import { type Amount, isNoPrice, standsAlone } from './amounts.ts'
import { type Bound, only, readingOf, type Stretch } from './bound.ts'
import type { Field } from './fields.ts'
import { nameAfter, nameBefore, negationBefore, type Reading } from './spans.ts'
import { converted, isCurrency, meansUnit } from './units.ts'

/** The condition of one amount, or of two that are bounds, if it is clear which field is meant: by its name, or by the unit. */
export function conditionOfAmounts(stretch: Stretch, said: readonly Bound<Amount>[]): Reading | undefined {
  const { tokens, known, from, to, named: inside } = stretch
  const unit = said.at(-1)!.limit.unit ?? said[0]!.limit.unit
  if (said.some(({ limit }) => limit.unit !== undefined && limit.unit !== unit)) return undefined
  const numbers = known.fields.filter(({ type }) => type === 'number')
  const fitting = unit === undefined ? numbers : numbers.filter((field) => isIn(field, unit))
  const before = nameBefore(tokens, from, fitting)
  const after = before === undefined ? nameAfter(tokens, to, fitting) : undefined
  const named = inside ?? before?.field ?? after?.field
  const field = named ?? (unit === undefined ? usualPrice(stretch, numbers, said) : only(fitting))
  if (field === undefined || !fitting.includes(field)) return undefined
  if (isPrice(field) && isNoPrice(tokens, to)) return undefined

  const own = field.measure && unit !== undefined ? meansUnit(unit, field.measure) : undefined
  const numberOf = ({ value }: Amount): number =>
    own === undefined ? value : converted(value, own, field.measure!)
  if (said.length === 2 && said[0]!.limit.value > said[1]!.limit.value) return undefined
  const parts = Object.fromEntries(said.map(({ comparison, limit }) => [comparison, numberOf(limit)]))
  return readingOf({ ...stretch, from: before?.from ?? from, to: after?.to ?? to }, field, said, parts)
}

/** A number with a unit that is no currency, or with the field's name, is the value itself: "16 GB". */
export function exactly(stretch: Stretch, amount: Amount): Reading | undefined {
  const { tokens, known, from, to } = stretch
  const { unit } = amount
  if (negationBefore(tokens, from) !== undefined) return undefined
  if (unit === undefined) {
    if (nameBefore(tokens, from, known.fields) === undefined) return undefined
  } else {
    if (known.fields.some((field) => isPrice(field) && isIn(field, unit))) return undefined
    // "5g" is a network as often as a weight.
    const [last, number] = [tokens[to - 1]!, tokens[to - 2]]
    if (unit.length === 1 && last.kind === 'word' && last.start === number?.end) return undefined
  }
  return conditionOfAmounts(stretch, [{ comparison: 'is', limit: amount }])
}

const isPrice = ({ measure }: Field): boolean => measure !== undefined && isCurrency(measure)

const isIn = ({ measure }: Field, unit: string): boolean =>
  measure !== undefined && meansUnit(unit, measure) !== undefined

/** A number by itself is a price, if there is one kind of price and nothing else is meant. */
function usualPrice(
  { tokens, known, from, to, about }: Stretch,
  numbers: readonly Field[],
  said: readonly Bound<Amount>[],
): Field | undefined {
  const price = only(numbers.filter(isPrice))
  if (price === undefined || about !== 'amount' || !standsAlone(tokens, from, to)) return undefined
  const range = known.ranges.get(price)
  const [{ comparison, limit }] = said as [Bound<Amount>]
  const isPossible =
    range === undefined ||
    (comparison.startsWith('l') ? limit.value >= Number(range.min) : limit.value <= Number(range.max))
  return isPossible ? price : undefined
}
