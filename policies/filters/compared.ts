/** Reads what a query compares: "under 50 euros", "between 2 and 3 kg", "4 stars or more", "since 2019", "16 GB". */
import { type Amount, amountAt } from './amounts.ts'
import type { Bound, Stretch } from './bound.ts'
import { type Comparative, comparativesBefore, comparativesBehind, opposite } from './comparatives.ts'
import type { Known } from './known.ts'
import { conditionOfAmounts, exactly } from './measured.ts'
import { behindLinks, nameAfter, negationBefore, type Reading, standsAt } from './spans.ts'
import { conditionOfTimes } from './timed.ts'
import { type TimeSpan, timeAt } from './times.ts'
import type { Token } from './tokens.ts'

/** What is compared at a place. Without a field: what is certainly no filter, and is not read again. */
type Found = Reading | { readonly field?: never; readonly to: number }

/** All that is compared, from left to right. Nothing overlaps. */
export function readCompared(tokens: readonly Token[], known: Known): Reading[] {
  const readings: Reading[] = []
  for (let place = 0; place < tokens.length; ) {
    const found = comparedAt(tokens, place, known)
    if (found?.field !== undefined) readings.push(found)
    place = Math.max(place + 1, found?.to ?? 0)
  }
  return readings
}

function comparedAt(tokens: readonly Token[], place: number, known: Known): Found | undefined {
  const stretch = (to: number, about?: Comparative['about']): Stretch => ({
    tokens,
    known,
    from: place,
    to,
    ...(about !== undefined && { about }),
  })
  const years = pairAt(tokens, place, (at) => timeAt(tokens, at))
  // "between 1000 and 2000" may be numbers.
  const between = years && conditionOfTimes(stretch(years.to), sides(years))
  if (between !== undefined) return between
  const numbers = pairAt(tokens, place, (at) => amountAt(tokens, at, known.fields))
  if (numbers !== undefined)
    return conditionOfAmounts(stretch(numbers.to), sides(numbers)) ?? { to: numbers.to }

  const before = comparativeAt(tokens, place, comparativesBefore)
  if (before !== undefined) return comparedBy(before, tokens, place, known)

  const year = timeAt(tokens, place)
  const later = year && comparativeAt(tokens, year.to, comparativesBehind)
  if (later?.about === 'time') {
    const said: Bound<TimeSpan>[] = [{ comparison: later.comparison, limit: year! }]
    const found = conditionOfTimes(stretch(year!.to + later.words.length, 'time'), said)
    if (found !== undefined) return found
  }
  const amount = amountAt(tokens, place, known.fields)
  if (amount === undefined) return undefined
  if (amount.isPlus) return conditionOfAmounts(stretch(amount.to), [{ comparison: 'gte', limit: amount }])
  const behind = comparativeAt(tokens, amount.to, comparativesBehind)
  if (behind?.about !== 'amount') return exactly(stretch(amount.to), amount)
  const to = amount.to + behind.words.length
  return conditionOfAmounts(stretch(to), [{ comparison: behind.comparison, limit: amount }]) ?? { to }
}

const comparativeAt = (
  tokens: readonly Token[],
  place: number,
  all: readonly Comparative[],
): Comparative | undefined => all.find(({ words }) => standsAt(tokens, place, words))

/** What a comparative says of what stands behind it. The field's name may stand between: "maximum weight of 2 kg". */
function comparedBy(
  { words, about, comparison: plain }: Comparative,
  tokens: readonly Token[],
  place: number,
  known: Known,
): Found | undefined {
  const negation = negationBefore(tokens, place)
  const comparison = negation === undefined ? plain : opposite[plain]
  if (comparison === undefined) return undefined
  const next = behindLinks(tokens, place + words.length)
  const name = nameAfter(tokens, next, known.fields)
  const at = name === undefined ? next : behindLinks(tokens, name.to)
  const stretch = (to: number): Stretch => ({
    tokens,
    known,
    from: negation ?? place,
    to,
    about,
    ...(name && { named: name.field }),
  })
  const time = about === 'amount' ? undefined : timeAt(tokens, at)
  const found = time && conditionOfTimes(stretch(time.to), [{ comparison, limit: time }])
  if (found !== undefined || about === 'time') return found
  const amount = amountAt(tokens, at, known.fields)
  if (amount === undefined) return undefined
  return conditionOfAmounts(stretch(amount.to), [{ comparison, limit: amount }]) ?? { to: amount.to }
}

/** "between A and B", "from A to B", "A to B", "A-B". */
function pairAt<Value extends Amount | TimeSpan>(
  tokens: readonly Token[],
  place: number,
  thingAt: (place: number) => Value | undefined,
): { readonly low: Value; readonly high: Value; readonly to: number } | undefined {
  const opening = ['between', 'from'].find((word) => standsAt(tokens, place, [word]))
  const low = thingAt(place + (opening === undefined ? 0 : 1))
  if (low === undefined) return undefined
  const joints = opening === 'between' ? ['and'] : ['to', '-', 'until', 'till']
  if (!joints.some((word) => standsAt(tokens, low.to, [word]))) return undefined
  const high = thingAt(low.to + 1)
  return high && { low, high, to: high.to }
}

const sides = <Value>({ low, high }: { readonly low: Value; readonly high: Value }): Bound<Value>[] => [
  { comparison: 'gte', limit: low },
  { comparison: 'lte', limit: high },
]
