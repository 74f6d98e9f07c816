/** Numbers with their units, as a query has them: "50", "€49.99", "2 kg", "15-inch". */
import type { Field } from './fields.ts'
import { standsAt } from './spans.ts'
import type { Token } from './tokens.ts'
import { isCurrency, meansUnit, unitsOf } from './units.ts'

export interface Amount {
  readonly value: number
  /** The word or sign of its unit, if it has one. */
  readonly unit?: string
  /** Whether a plus stands between the number and its unit: "4+ stars". */
  readonly isPlus?: boolean
  readonly from: number
  readonly to: number
}

/** Words that are units only if a field has that unit. Otherwise they mean something else. */
const seldomUnits: ReadonlySet<string> = new Set(['in', 'min', 'h', 'm', 'a', 'day', 'days', '"', '”', '″'])

/** The amount that begins at a place, if one does. */
export function amountAt(
  tokens: readonly Token[],
  place: number,
  fields: readonly Field[],
): Amount | undefined {
  const first = tokens[place]
  const sign = first !== undefined && isUnit(first, fields) && isMoney(first.norm) ? first.norm : undefined
  const at = sign === undefined ? place : place + 1
  const number = tokens[at]
  if (number?.kind !== 'number' || number.value === undefined) return undefined
  // "wh-1000xm4" and "rtx4090" are names.
  const before = tokens[at - 1]
  const isGlued = (one: Token | undefined): boolean => one?.kind === 'word' && one.end === number.start
  if (isGlued(before) || (before?.norm === '-' && before.end === number.start && isJoined(tokens, at - 1)))
    return undefined

  let to = at + 1
  let { value } = number
  let unit = sign
  const isTight = tokens[to]?.start === number.end
  const joint = isTight && ['-', '+'].includes(tokens[to]!.norm) ? 1 : 0
  const next = tokens[to + joint]
  const isPlus = joint === 1 && tokens[to]!.norm === '+'
  const thousands = tokens[to]
  const isThousands =
    thousands?.norm === 'k' &&
    thousands.start === number.end &&
    (sign !== undefined || isMoney(tokens[to + 1]?.norm ?? ''))
  if (isThousands) {
    value *= 1000
    to++
    if (unit === undefined) unit = tokens[to++]!.norm
  } else if (unit === undefined && next !== undefined && isUnit(next, fields)) {
    unit = next.norm
    to += joint + 1
    return { value, from: place, to, unit, ...(isPlus && { isPlus }) }
  } else if (next?.kind === 'word' && next.start === number.end) {
    // "4k", "5g", "3d": part of a name.
    return undefined
  }
  return { value, from: place, to, ...(unit !== undefined && { unit }) }
}

const isMoney = (word: string): boolean => unitsOf(word).some(isCurrency)

/** Whether a hyphen stands right behind a word. */
const isJoined = (tokens: readonly Token[], hyphen: number): boolean =>
  tokens[hyphen - 1]?.kind === 'word' && tokens[hyphen - 1]!.end === tokens[hyphen]!.start

function isUnit({ norm }: Token, fields: readonly Field[]): boolean {
  const isListed = fields.some(
    ({ measure }) => measure !== undefined && meansUnit(norm, measure) !== undefined,
  )
  return isListed || (unitsOf(norm).length > 0 && !seldomUnits.has(norm))
}

/** Nouns of ages and counts: "kids under 12", "over 50 pieces" are about no price. */
const people: ReadonlySet<string> = new Set(
  'kid kids child children age aged ages boys girls men women adults seniors babies baby toddler toddlers teens people players pieces size sizes level version model chapter'.split(
    ' ',
  ),
)

/** Words behind a number without a unit that leave it a number by itself: "under 500 with 16 GB". */
const breaks: ReadonlySet<string> = new Set(
  'and or but with without for in from since by of on at that which to not before after until please , . ; ! ? :'.split(
    ' ',
  ),
)

/** Whether a number without a unit stands by itself, so that it can be a price. */
export function standsAlone(tokens: readonly Token[], from: number, to: number): boolean {
  const [before, after] = [tokens[from - 1], tokens[to]]
  return (before === undefined || !people.has(before.norm)) && (after === undefined || breaks.has(after.norm))
}

/** Words behind an amount of money that make it something else than a price: "50 euros off". */
const notPrices =
  'off discount discounts gift voucher vouchers coupon coupons cashback bill bills note coin cheaper less more'.split(
    ' ',
  )

export const isNoPrice = (tokens: readonly Token[], place: number): boolean =>
  notPrices.some((word) => standsAt(tokens, place, [word]))
