/** Parses documents, and caches the most recent ones. */
import type { Document } from '../types.ts'
import { createLexicon, type Lexicon } from './lexicon.ts'
import { type ParsedDocument, parseDocument } from './parse-document.ts'
import { type TermWeights, weightOf } from './term-weights.ts'

export interface Reader {
  /** The lexicon of all ids until the next `begin`. */
  readonly lexicon: Lexicon
  /** Call this when a search begins, before reading anything. Only here may the reader drop its lexicon and its cache. */
  begin(): void
  read(document: Document): ParsedDocument
}

const defaultMaxDocuments = 5000

/** Number of words and phrases at which the reader begins a new lexicon: about 100 MB. */
const maxLexiconSize = 1_000_000

/** @param maxDocuments size of the cache, about 5 KB per document. Default: 5,000 */
export function createReader(weights: TermWeights, maxDocuments: number = defaultMaxDocuments): Reader {
  const weigh = weightOf(weights)
  let lexicon = createLexicon(weigh)
  const cache = new Map<string, { readonly document: Document; readonly parsed: ParsedDocument }>()

  return {
    get lexicon() {
      return lexicon
    },
    begin() {
      if (lexicon.size < maxLexiconSize) return
      lexicon = createLexicon(weigh)
      cache.clear()
    },
    read(document) {
      const { docid, title, text } = document
      const cached = cache.get(docid)
      cache.delete(docid)
      const isSame = cached?.document.text === text && cached.document.title === title
      const entry =
        cached !== undefined && isSame ? cached : { document, parsed: parseDocument(document, lexicon) }
      cache.set(docid, entry)
      if (cache.size > maxDocuments) cache.delete(cache.keys().next().value!)
      return entry.parsed
    },
  }
}
