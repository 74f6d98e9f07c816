/** Where a searched text came from, as people say it. */

import type { GivenTurn, SubQuery } from '../types.ts'
import { stopWords } from './english.ts'

export type Origin =
  | 'your words'
  | 'name'
  | 'part'
  | 'keywords'
  | 'found'
  | 'found with more'
  | 'conversation'
  | 'model'

/** What is known of the search that a text was searched for. */
export interface Asked {
  readonly text: string
  readonly history?: readonly GivenTurn[] | undefined
  /** The plan of the local policy, if it chose one. */
  readonly plan?: string | undefined
}

/** `model`: neither the question nor the conversation nor a document has its words. */
export function originOf(
  { text, round, from }: SubQuery,
  { text: question, history = [], plan }: Asked,
): Origin {
  if (round === 0) return 'your words'
  const [words, own] = [wordsOf(text), wordsOf(question)]
  const isIn = (all: readonly string[]): boolean => words.every((word) => all.includes(word))
  if (from !== undefined)
    return words.some((word) => own.includes(word) && !stopWords.has(word)) ? 'found with more' : 'found'
  if (` ${own.join(' ')} `.includes(` ${words.join(' ')} `)) return plan === 'parts' ? 'part' : 'name'
  if (isIn(own)) return plan === 'parts' ? 'part' : 'keywords'
  return isIn([...own, ...history.flatMap((turn) => wordsOf(turn.text))]) ? 'conversation' : 'model'
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

/** @param source the title of the document that the text was made from */
export const originWords = (origin: Origin, source: string): string =>
  ({
    'your words': 'your words',
    name: 'named in your question',
    part: 'a part of your question',
    keywords: 'your key words',
    found: `found in “${source}”`,
    'found with more': `found in “${source}”, with your words`,
    conversation: 'from the conversation',
    model: 'written for your question',
  })[origin]

/** What was searched, as people read it. */
export const searchWords = ({ text, round }: Pick<SubQuery, 'text' | 'round'>): string =>
  round === 0 ? 'your words' : withoutRepeats(text)

/** Policies repeat words that should count more: `A? A? A? more` reads `A? (×3) more`. */
export const withoutRepeats = (text: string): string =>
  text.replace(
    /(.{4,}?)((?: \1)+)(?= |$)/g,
    (all, once: string) => `${once} (×${Math.round((all.length + 1) / (once.length + 1))})`,
  )
