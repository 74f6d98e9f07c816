/** The part of a document that says most of what was searched, and its words in it. */
import { stopWords } from '../text/english.ts'

const wordPattern = /[\p{L}\p{N}]+/gu
/** What fits a line. */
const length = 110
/** How far before a word its passage may begin. */
const before = 28

export interface Piece {
  readonly text: string
  readonly isMarked: boolean
}

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

const matchesIn = (text: string, terms: ReadonlySet<string>) =>
  [...text.matchAll(wordPattern)].flatMap(({ 0: word, index }) => {
    const term = stemOf(word.toLowerCase())
    return terms.has(term) ? [{ at: index, end: index + word.length, term }] : []
  })

/** The text from where a line of it has most of the terms: from a sentence, if that is as good. */
export function passageOf(text: string, terms: ReadonlySet<string>): string {
  const matches = matchesIn(text, terms)
  const sentences = [
    0,
    ...[...text.matchAll(/[.!?]["”’)]*\s+(?=\p{Lu})/gu)].map(({ 0: end, index }) => index + end.length),
  ]
  const inside = matches.map(({ at }) => text.indexOf(' ', Math.max(0, at - before)) + 1)
  let best = { start: 0, found: -1 }
  for (const start of [...sentences, ...inside]) {
    const shown = matches.filter(({ at, end }) => at >= start && end <= start + length)
    const found = new Set(shown.map(({ term }) => term)).size
    if (found > best.found) best = { start, found }
  }
  return `${best.start > 0 ? '… ' : ''}${text.slice(best.start)}`
}

/** The text in pieces. A blank between marked words is marked, too. */
export function piecesOf(text: string, terms: ReadonlySet<string>): Piece[] {
  const tokens = text.split(/([\p{L}\p{N}]+)/u)
  const isTerm = (token = ''): boolean => terms.has(stemOf(token.toLowerCase()))
  const pieces: Piece[] = []
  for (const [at, token] of tokens.entries()) {
    const isMarked = isTerm(token) || (token === ' ' && isTerm(tokens[at - 1]) && isTerm(tokens[at + 1]))
    const last = pieces.at(-1)
    if (last?.isMarked === isMarked) pieces[pieces.length - 1] = { text: last.text + token, isMarked }
    else if (token !== '') pieces.push({ text: token, isMarked })
  }
  return pieces
}
