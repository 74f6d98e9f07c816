/** One text for each part of a comparison, a coordination or an enumeration. */

import type { Lexicon } from '../../../src/text/lexicon.ts'
import type { Question } from '../rerank/question.ts'
import { namedParts } from './named-parts.ts'
import { plainParts } from './plain-parts.ts'
import { wordingOf } from './wording.ts'

/** Words that a clause must have to be searched by itself. */
const leastWords = 2
const maxParts = 3

/**
 * "Which is older, A or B?" is "A older" and "B older": each thing that is set beside another, with the words outside of them.
 * Where there are none and the question has two clauses, each clause by itself. At most three; abstains otherwise.
 */
export function partsOf(text: string, question: Question, lexicon: Lexicon): string[] {
  const wording = wordingOf(text, question, lexicon)
  const { words, lower, isNamed, says } = wording
  const named = namedParts(wording)
  const things = named.length > 1 ? named : plainParts(wording)
  if (things.length > 1) {
    const outside = kept((place) => !things.some(([start, end]) => place >= start && place < end))
    return things.slice(0, maxParts).map(([start, end]) => [...words.slice(start, end), ...outside].join(' '))
  }
  const at = lower.findIndex(
    (word, place) => place > 0 && (word === 'and' || word === 'or') && !isNamed(place),
  )
  if (at === -1) return []
  const clauses = [kept((place) => place < at), kept((place) => place > at)]
  return clauses.every(({ length }) => length >= leastWords) ? clauses.map((clause) => clause.join(' ')) : []

  /** The words at some places that say something. */
  function kept(wanted: (place: number) => boolean): string[] {
    return words.filter((_, place) => wanted(place) && says(place))
  }
}
