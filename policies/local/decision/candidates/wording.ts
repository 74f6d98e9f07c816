/** A question's wording, for rules about small words and commas. */

import { Flag, type Lexicon } from '../../../../src/text/lexicon.ts'
import type { Question } from '../../rerank/question.ts'
import { namePlaces } from '../second-stage.ts'

/** A stretch of a question: the index of its first word, and the index after its last word. */
export type Stretch = readonly [number, number]

export interface Wording {
  /** The words in their original form and in lower case. */
  readonly words: readonly string[]
  readonly lower: readonly string[]
  /** The text between each word and the one before it. */
  readonly gaps: readonly string[]
  /** In the order of the question. */
  readonly names: readonly Stretch[]
  isNamed(place: number): boolean
  /** Whether the word carries meaning: neither a stop word nor a joining word. */
  says(place: number): boolean
}

/** Words that join or compare things. */
export const joining: ReadonlySet<string> = new Set(['and', 'or', 'versus', 'vs', 'than', 'between'])

/** Words that may precede a thing or a name without being part of it. */
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

  /** The names, and a capitalized word at the beginning if a joining word follows it and then a name. */
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
