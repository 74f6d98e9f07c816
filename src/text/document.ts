/** A document as features read it. */
import type { Document } from '../types.ts'
import type { Lexicon } from './lexicon.ts'
import { createMarks } from './marks.ts'
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
}

/** So much of a text is read: what a document is about stands at its beginning, and time must have a limit. */
const longestText = 20_000

/** Used anew by every document. */
const seen = createMarks()

export function readDocument({ docid, title = '', text }: Document, lexicon: Lexicon): ReadDocument {
  const readTitle = readText(title.slice(0, longestText), lexicon)
  const readBody = readText(text.slice(0, longestText), lexicon)
  const bracket = title.search(/\s[([]/)
  const { starts, breaks } = scan(bracket > 0 ? title.slice(0, bracket) : title.slice(0, longestText))
  const short = breaks.indexOf(true, 1)
  return {
    docid,
    title: readTitle,
    name: readTitle.words.slice(0, starts.length).map((word) => lexicon.lower(word)),
    short: short === -1 ? starts.length : short,
    text: readBody,
    matter: union(readTitle.matter, readBody.matter),
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
