/** The part of a document that says most of what was searched, and its words in it. */
import { stopWords } from '../text/english.ts'

const wordPattern = /[\p{L}\p{N}]+/gu
/** What fits a line. */
const length = 110
/** How far before a word its passage may begin. */
const before = 28

/** The words that are worth a mark, without their endings. */
export const termsOf = (texts: readonly string[]): ReadonlySet<string> =>
  new Set(
    texts
      .flatMap((text) => text.toLowerCase().match(wordPattern) ?? [])
      .filter((word) => word.length > 1 && !stopWords.has(word))
      .map(stemOf),
  )

/** Plurals and possessives are enough. */
const stemOf = (word: string): string => (word.length > 3 ? word.replace(/s$/, '') : word)

/** The text from where a line of it has most of the terms: from a sentence, if that is as good. */
export function passageOf(text: string, terms: ReadonlySet<string>): string {
  const matches = Array.from(text.matchAll(wordPattern), ({ 0: word, index }) => ({
    at: index,
    end: index + word.length,
    term: stemOf(word.toLowerCase()),
  })).filter(({ term }) => terms.has(term))
  const sentences = text.matchAll(/[.!?]["”’)]*\s+(?=\p{Lu})/gu)
  const starts = [
    0,
    ...Array.from(sentences, ({ 0: end, index }) => index + end.length),
    ...matches.map(({ at }) => text.indexOf(' ', Math.max(0, at - before)) + 1),
  ]
  const found = starts.map((start) => {
    const shown = matches.filter(({ at, end }) => at >= start && end <= start + length)
    return new Set(shown.map(({ term }) => term)).size
  })
  const best = starts[found.indexOf(Math.max(...found))]!
  return `${best > 0 ? '… ' : ''}${text.slice(best)}`
}

/** The text in pieces. A blank between marked words is marked, too. */
export function piecesOf(text: string, terms: ReadonlySet<string>) {
  // Marks are between characters that no text has.
  const marked = text.replace(wordPattern, (word) =>
    terms.has(stemOf(word.toLowerCase())) ? `\uFDD0${word}\uFDD1` : word,
  )
  const pieces = marked.replaceAll('\uFDD1 \uFDD0', ' ').split(/[\uFDD0\uFDD1]/)
  return pieces
    .map((piece, at) => ({ text: piece, isMarked: at % 2 === 1 }))
    .filter(({ text }) => text !== '')
}
