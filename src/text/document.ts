/** A document as features read it. */
import type { Document } from '../types.ts'
import type { Lexicon } from './lexicon.ts'
import { type ReadText, readText } from './read.ts'

export interface ReadDocument {
  readonly docid: string
  readonly title: ReadText
  /** The title's words in lower case, without what stands in parentheses. */
  readonly name: Int32Array
  readonly text: ReadText
  /** The stems of title and text that say something, each once. */
  readonly matter: Int32Array
}

export function readDocument(document: Document, lexicon: Lexicon): ReadDocument {
  const title = readText(document.title ?? '', lexicon)
  const text = readText(document.text, lexicon)
  const stripped = (document.title ?? '').replace(/\s*[([].*$/, '')
  const name = readText(stripped === '' ? (document.title ?? '') : stripped, lexicon).words.map((word) =>
    lexicon.lower(word),
  )
  const matter = Int32Array.from(new Set([...title.matter, ...text.matter]))
  return { docid: document.docid, title, name, text, matter }
}
