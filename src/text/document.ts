/** A document as features read it. */
import type { Document } from '../types.ts'
import { createMarks } from './int-set.ts'
import { isCapitalized, isNumber, type Lexicon } from './lexicon.ts'
import { type ReadText, readText } from './read.ts'
import { scan } from './scan.ts'

export interface ReadDocument {
  readonly docid: string
  readonly title: ReadText
  /** The title's words in lower case, without what stands in parentheses. */
  readonly name: Int32Array
  /** How many of the name's words stand before its first comma, colon or dash; all where there is none. */
  readonly short: number
  readonly text: ReadText
  /** The stems of title and text that say something, each once. */
  readonly matter: Int32Array
  /** The prefixes of their words, each once. */
  readonly prefixes: Int32Array
  /** Whether a year stands in the first sentence. */
  readonly hasYear: boolean
  /** Whether somebody is born within the first words. */
  readonly hasBirth: boolean
  /** Two to four capitalised words as a title, and a text that begins with one of them. */
  readonly isPerson: boolean
}

/** So much of a text is read: what a document is about stands at its beginning, and time must have a limit. */
export const longestText = 20_000

/** Used anew by every document. */
const seen = createMarks()

export function readDocument({ docid, title = '', text }: Document, lexicon: Lexicon): ReadDocument {
  const readTitle = readText(title.slice(0, longestText), lexicon)
  const readBody = readText(text.slice(0, longestText), lexicon)
  const bracket = title.search(/\s[([]/)
  const { starts, breaks } = scan(bracket > 0 ? title.slice(0, bracket) : title.slice(0, longestText))
  const short = breaks.indexOf(true, 1)
  const name = readTitle.words.slice(0, starts.length).map((word) => lexicon.lower(word))
  return {
    docid,
    title: readTitle,
    name,
    short: short === -1 ? starts.length : short,
    text: readBody,
    matter: union(readTitle.matter, readBody.matter),
    prefixes: prefixesOf([readTitle.words, readBody.words], lexicon),
    hasYear: hasYear(readBody, lexicon),
    hasBirth: hasBirth(readBody, lexicon),
    isPerson: isPerson(readTitle, name, readBody, lexicon),
  }
}

function union(a: Int32Array, b: Int32Array): Int32Array {
  seen.hold(a)
  const all = new Int32Array(a.length + b.length)
  all.set(a)
  let count = a.length
  for (const stem of b) if (seen.add(stem)) all[count++] = stem
  return all.slice(0, count)
}

function prefixesOf(texts: readonly Int32Array[], { prefix }: Lexicon): Int32Array {
  seen.clear()
  const all: number[] = []
  for (const words of texts)
    for (const word of words) {
      const own = prefix(word)
      if (seen.add(own)) all.push(own)
    }
  return Int32Array.from(all)
}

function hasYear({ sentences, words }: ReadText, lexicon: Lexicon): boolean {
  return words
    .subarray(0, sentences[1] ?? 0)
    .some((word) => (lexicon.flags(word) & isNumber) !== 0 && /^[12]\d{3}$/.test(lexicon.text(word)))
}

/** Words that are looked through for a birth. */
const firstWords = 40

function hasBirth({ words }: ReadText, { text }: Lexicon): boolean {
  return words.subarray(0, firstWords).some((word) => text(word) === 'born')
}

function isPerson(
  title: ReadText,
  name: Int32Array,
  { words }: ReadText,
  { flags, lower }: Lexicon,
): boolean {
  if (name.length < 2 || name.length > 4 || words.length === 0) return false
  const isName = title.words.subarray(0, name.length).every((word) => (flags(word) & isCapitalized) !== 0)
  return isName && name.includes(lower(words[0]!))
}
