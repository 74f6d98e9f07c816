/** Parses documents into the values that features read. */
import type { Document } from '../types.ts'
import { Flag, type Lexicon } from './lexicon.ts'
import { type ParsedText, parseText } from './parse-text.ts'
import { scan } from './scan.ts'

export interface ParsedDocument {
  readonly docid: string
  readonly title: ParsedText
  /** The title's words in lower case, without anything in parentheses. */
  readonly name: Int32Array
  /** The name's phrase in the lexicon; -1 without a title. */
  readonly phrase: number
  /** Number of words of the name before its first comma, colon or dash; all words if it has none. */
  readonly short: number
  readonly text: ParsedText
  /** The content stems of title and text, without duplicates. */
  readonly contentStems: Int32Array
  /** Whether the first sentence contains a year. */
  readonly hasYear: boolean
  /** Whether "born" is among the first words. */
  readonly hasBirth: boolean
  /** Whether the title is two to four capitalized words and the text begins with one of them. */
  readonly isPerson: boolean
}

/** Number of characters that are parsed. The beginning of a document states its topic, and parsing time needs a limit. */
export const maxTextLength = 20_000

export function parseDocument({ docid, title = '', text }: Document, lexicon: Lexicon): ParsedDocument {
  const parsedTitle = parseText(title.slice(0, maxTextLength), lexicon)
  const parsedText = parseText(text.slice(0, maxTextLength), lexicon, parsedTitle.contentStems)
  const bracket = title.search(/\s[([]/)
  const { count, breaks } = scan(bracket > 0 ? title.slice(0, bracket) : title.slice(0, maxTextLength))
  const short = breaks.subarray(0, count).indexOf(1, 1)
  const name = parsedTitle.words.slice(0, count).map((word) => lexicon.lower(word))
  return {
    docid,
    title: parsedTitle,
    name,
    phrase: name.length === 0 ? -1 : lexicon.phrase(name, 0, name.length),
    short: short === -1 ? count : short,
    text: parsedText,
    contentStems: parsedText.contentStems,
    hasYear: hasYear(parsedText, lexicon),
    hasBirth: hasBirth(parsedText, lexicon),
    isPerson: isPerson(parsedTitle, name, parsedText, lexicon),
  }
}

function hasYear({ sentences, words }: ParsedText, lexicon: Lexicon): boolean {
  const end = sentences[1] ?? 0
  for (let place = 0; place < end; place++) {
    const word = words[place]!
    if (lexicon.flags(word) & Flag.number && /^[12]\d{3}$/.test(lexicon.text(word))) return true
  }
  return false
}

/** Number of words that are searched for "born". */
const birthWords = 40

function hasBirth({ words, stems }: ParsedText, { text, stemId }: Lexicon): boolean {
  const born = stemId('born')
  const end = Math.min(words.length, birthWords)
  for (let place = 0; place < end; place++)
    if (stems[place] === born && text(words[place]!) === 'born') return true
  return false
}

function isPerson(
  title: ParsedText,
  name: Int32Array,
  { words }: ParsedText,
  { flags, lower }: Lexicon,
): boolean {
  if (name.length < 2 || name.length > 4 || words.length === 0) return false
  const isName = title.words.subarray(0, name.length).every((word) => (flags(word) & Flag.capitalized) !== 0)
  return isName && name.includes(lower(words[0]!))
}
