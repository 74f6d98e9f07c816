/** Times in a query: years, months, ISO dates. Each is the time from its first day to the day behind its last. */
import type { Token } from './tokens.ts'

export interface TimeSpan {
  /** ISO dates: the first day, and the first day that is no longer part of it. */
  readonly first: string
  readonly next: string
  /** Set if it is a whole year. */
  readonly year?: number
  readonly from: number
  readonly to: number
}

const months = 'january february march april may june july august september october november december'.split(
  ' ',
)

const day = (year: number, month: number, date = 1): string =>
  new Date(Date.UTC(year, month, date)).toISOString().slice(0, 10)

const isYear = ({ kind, norm }: Token): boolean => kind === 'number' && /^(?:19|20)\d\d$/.test(norm)

/** The time that begins at a place, if one does. */
export function timeAt(tokens: readonly Token[], place: number): TimeSpan | undefined {
  const first = tokens[place]
  if (first === undefined) return undefined
  return isoAt(tokens, place) ?? dayAt(tokens, place) ?? monthAt(tokens, place) ?? yearAt(tokens, place)
}

function yearAt(tokens: readonly Token[], place: number): TimeSpan | undefined {
  const token = tokens[place]!
  const after = tokens[place + 1]
  const isPart = after?.kind === 'word' && after.start === token.end
  if (!isYear(token) || isPart) return undefined
  const year = Number(token.norm)
  return { first: day(year, 0), next: day(year + 1, 0), year, from: place, to: place + 1 }
}

/** "march 2020". */
function monthAt(tokens: readonly Token[], place: number): TimeSpan | undefined {
  const month = monthOf(tokens[place])
  const year = tokens[place + 1]
  if (month === undefined || year === undefined || !isYear(year)) return undefined
  return spanOfMonth(Number(year.norm), month, place, place + 2)
}

/** "1 may 2020", "may 1, 2020". */
function dayAt(tokens: readonly Token[], place: number): TimeSpan | undefined {
  const [one, two] = [tokens[place]!, tokens[place + 1]]
  const comma = tokens[place + 2]?.norm === ',' ? 1 : 0
  const year = tokens[place + 2 + comma]
  if (two === undefined || year === undefined || !isYear(year)) return undefined
  const month = monthOf(one) ?? monthOf(two)
  const number = monthOf(one) === undefined ? one : two
  if (month === undefined || number.kind !== 'number') return undefined
  return spanOfDay(Number(year.norm), month, Number(number.norm), place, place + 3 + comma)
}

/** "2020-05-01", "2020-05". */
function isoAt(tokens: readonly Token[], place: number): TimeSpan | undefined {
  const isPart = (at: number): boolean =>
    tokens[at]?.norm === '-' &&
    tokens[at]!.start === tokens[at - 1]!.end &&
    tokens[at + 1]?.start === tokens[at]!.end &&
    /^\d\d$/.test(tokens[at + 1]!.norm)
  if (!isYear(tokens[place]!) || !isPart(place + 1)) return undefined
  const [year, month] = [Number(tokens[place]!.norm), Number(tokens[place + 2]!.norm) - 1]
  if (month < 0 || month > 11) return undefined
  return isPart(place + 3)
    ? spanOfDay(year, month, Number(tokens[place + 4]!.norm), place, place + 5)
    : spanOfMonth(year, month, place, place + 3)
}

const spanOfMonth = (year: number, month: number, from: number, to: number): TimeSpan => ({
  first: day(year, month),
  next: day(year, month + 1),
  from,
  to,
})

function spanOfDay(
  year: number,
  month: number,
  date: number,
  from: number,
  to: number,
): TimeSpan | undefined {
  const first = day(year, month, date)
  const isReal =
    date >= 1 && first === `${year}-${String(month + 1).padStart(2, '0')}-${String(date).padStart(2, '0')}`
  return isReal ? { first, next: day(year, month, date + 1), from, to } : undefined
}

function monthOf(token: Token | undefined): number | undefined {
  if (token?.kind !== 'word') return undefined
  const place = months.findIndex((month) => month === token.norm || month.slice(0, 3) === token.norm)
  return place === -1 ? undefined : place
}
