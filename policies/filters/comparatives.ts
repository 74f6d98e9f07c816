/** Words that compare with a number or a time, before it and behind it. */

export type Comparison = 'lt' | 'lte' | 'gt' | 'gte' | 'is'

export interface Comparative {
  readonly words: readonly string[]
  readonly comparison: Comparison
  /** Whether it is about times, about other numbers, or about either. */
  readonly about: 'time' | 'amount' | 'either'
}

type Group = readonly [comparison: Comparison, about: Comparative['about'], phrases: string]

/** The phrases of all groups, the longest first. */
const longestFirst = (groups: readonly Group[]): readonly Comparative[] =>
  groups
    .flatMap(([comparison, about, phrases]) =>
      phrases.split(', ').map((phrase) => ({ words: phrase.split(' '), comparison, about })),
    )
    .sort((one, other) => other.words.length - one.words.length)

/** Before the number: "under 50". */
export const comparativesBefore = longestFirst([
  [
    'lt',
    'amount',
    'under, below, less than, lower than, cheaper than, smaller than, lighter than, shorter than, ' +
      'fewer than, less expensive than, <',
  ],
  [
    'lte',
    'amount',
    'up to, at most, max, maximum, no more than, not more than, not over, not above, ' +
      'no more expensive than, not more expensive than, no heavier than, not heavier than, ' +
      'no larger than, not larger than, no bigger than, not bigger than, no longer than, ' +
      'not longer than, budget, within, <=, ≤',
  ],
  [
    'gt',
    'amount',
    'over, above, more than, greater than, higher than, larger than, bigger than, heavier than, ' +
      'longer than, more expensive than, >',
  ],
  [
    'gte',
    'amount',
    'at least, min, minimum, no less than, not less than, not under, not below, not cheaper than, ' +
      'no smaller than, not smaller than, starting at, starting from, >=, ≥',
  ],
  ['gte', 'either', 'from'],
  ['gte', 'time', 'since, no older than, not older than, not before, no earlier than, not earlier than'],
  ['gt', 'time', 'after, newer than, later than'],
  ['lt', 'time', 'before, older than, earlier than'],
  [
    'lte',
    'time',
    'until, till, through, no newer than, not newer than, not after, no later than, not later than',
  ],
  ['is', 'time', 'in, of'],
])

/** What a comparison comes to when it is negated: "not … more than 50". */
export const opposite: Readonly<Record<Comparison, Comparison | undefined>> = {
  lt: 'gte',
  lte: 'gt',
  gt: 'lte',
  gte: 'lt',
  is: undefined,
}

/** Behind the number: "50 or less". */
export const comparativesBehind = longestFirst([
  [
    'lte',
    'amount',
    'or less, or under, or below, or cheaper, or lower, or smaller, or lighter, or shorter, or fewer, ' +
      'and under, and below, and less, max, maximum, budget',
  ],
  [
    'gte',
    'amount',
    'or more, or over, or above, or higher, or better, or greater, or larger, or bigger, or longer, ' +
      'or heavier, and up, and above, and over, and more, min, minimum, +',
  ],
  ['gte', 'time', 'or newer, or later, and newer, and later, onwards, onward'],
  ['lte', 'time', 'or older, or earlier, and older, and earlier'],
])
