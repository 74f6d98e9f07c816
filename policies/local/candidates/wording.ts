/** A question as it is worded, for rules that look at small words and at commas. */

import { Flag, type Lexicon } from '../../../src/text/lexicon.ts'
import type { Question } from '../rerank/question.ts'
import { namePlaces } from '../second-stage.ts'

/** A part of a question: its first word and the word after its last one, by their places. */
export type Stretch = readonly [number, number]

export interface Wording {
  /** As they stand there, and in lower case. */
  readonly words: readonly string[]
  readonly lower: readonly string[]
  /** What stands between each word and the one before it. */
  readonly gaps: readonly string[]
  /** In their order. */
  readonly names: readonly Stretch[]
  isNamed(place: number): boolean
  /** Whether the word says something: no stop word, and none that joins things. */
  says(place: number): boolean
}

/** Words that set things side by side. */
export const joining: ReadonlySet<string> = new Set(['and', 'or', 'versus', 'vs', 'than', 'between'])

/** Words that may stand before a thing or a name and are no part of it. */
export const articles: ReadonlySet<string> = new Set('the a an my your his her its our their per'.split(' '))

/** @param text of the question */
export function wordingOf(text: string, question: Question, lexicon: Lexicon): Wording {
  const numbers = [...question.text.words]
  const words = numbers.map((word) => lexicon.text(word))
  const lower = numbers.map((word) => lexicon.text(lexicon.lower(word)))
  const names = namesOf()
  return {
    words,
    lower,
    gaps: gapsOf(text, words),
    names,
    isNamed: (place) => names.some(([start, end]) => place >= start && place < end),
    says: (place) => !(lexicon.flags(numbers[place]!) & Flag.stopWord) && !joining.has(lower[place]!),
  }

  /** The names; and a capitalized word at the beginning, where what follows joins it to a name. */
  function namesOf(): Stretch[] {
    const places: Stretch[] = [...namePlaces(question, lexicon)]
    if (places[0]?.[0] !== 2 || !joining.has(lower[1]!)) return places
    const isName = (lexicon.flags(numbers[0]!) & (Flag.capitalized | Flag.stopWord)) === Flag.capitalized
    return isName ? [[0, 1], ...places] : places
  }
}

function gapsOf(text: string, words: readonly string[]): string[] {
  let at = 0
  return words.map((word) => {
    const start = text.indexOf(word, at)
    const gap = text.slice(at, start)
    at = start + word.length
    return gap
  })
}
