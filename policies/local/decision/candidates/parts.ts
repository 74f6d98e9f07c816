/** The parts of a comparison, a coordination or an enumeration, one text each. */

import type { Lexicon } from '../../../../src/text/lexicon.ts'
import type { Question } from '../../rerank/question.ts'
import { namedParts } from './named-parts.ts'
import { plainParts } from './plain-parts.ts'
import { wordingOf } from './wording.ts'

/** A clause needs this many words to be searched by itself. */
const leastWords = 2
const maxParts = 3

/**
 * "Which is older, A or B?" becomes "A older" and "B older": each thing with the words outside of all things. A question without
 * such things but with two clauses is split into its clauses. At most three texts; empty otherwise.
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

  /** The meaningful words at the wanted places. */
  function kept(wanted: (place: number) => boolean): string[] {
    return words.filter((_, place) => wanted(place) && says(place))
  }
}
