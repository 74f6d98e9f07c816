/** Which field times are about, and what they say of it. */
import type { Condition } from '../../src/types.ts'
import { type Bound, only, readingOf, type Stretch } from './bound.ts'
import type { Comparison } from './comparatives.ts'
import { nameAfter, nameBefore, type Reading } from './spans.ts'
import type { TimeSpan } from './times.ts'

/** The condition of one time, or of two that are bounds, if it is clear which field is meant. */
export function conditionOfTimes(stretch: Stretch, said: readonly Bound<TimeSpan>[]): Reading | undefined {
  const { tokens, known, from, to, about, named: inside } = stretch
  const times = known.fields.filter(({ type }) => type === 'date' || type === 'year')
  const before = nameBefore(tokens, from, times)
  const after = before === undefined ? nameAfter(tokens, to, times) : undefined
  const named = inside ?? before?.field
  const field = named ?? after?.field ?? only(times)
  if (field === undefined || !times.includes(field)) return undefined
  if (field.type === 'year' && said.some(({ limit }) => limit.year === undefined)) return undefined

  // Years behind "from" and "in", and pairs of years, may be numbers of something else.
  const isSure = named !== undefined || (about === 'time' && said[0]!.comparison !== 'is')
  const range = known.ranges.get(field)
  const isInside = ({ year, first, next }: TimeSpan): boolean =>
    range !== undefined &&
    (field.type === 'year'
      ? year! >= Number(range.min) && year! <= Number(range.max)
      : next > String(range.min) && first <= String(range.max))
  if (!isSure && !said.every(({ limit }) => isInside(limit))) return undefined

  const parts =
    field.type === 'year'
      ? Object.fromEntries(said.map(({ comparison, limit }) => [comparison, limit.year!]))
      : Object.assign({}, ...said.map(({ comparison, limit }) => daysOf(comparison, limit)))
  return readingOf({ ...stretch, from: before?.from ?? from, to: after?.to ?? to }, field, said, parts)
}

/** The bounds of days: "after 2019" begins with 2020. */
function daysOf(comparison: Comparison, { first, next }: TimeSpan): Omit<Condition, 'field'> {
  if (comparison === 'gt') return { gte: next }
  if (comparison === 'gte') return { gte: first }
  if (comparison === 'lt') return { lt: first }
  return comparison === 'lte' ? { lt: next } : { gte: first, lt: next }
}
