/** Reads documents, and remembers those that it read lately. */
import type { Document } from '../types.ts'
import { type ReadDocument, readDocument } from './document.ts'
import { createLexicon, type Lexicon } from './lexicon.ts'
import { type TermWeights, weightOf } from './term-weights.ts'

export interface Reader {
  /** Words are numbers of this lexicon until the next `begin`. */
  readonly lexicon: Lexicon
  /** To be called when a search begins, before anything is read: only then may the reader forget what it knows. */
  begin(): void
  read(document: Document): ReadDocument
}

/** Some 5 KB each. */
const defaultMost = 5000

/** Words and names that a lexicon learns before it begins anew: some 100 MB. */
const mostWords = 1_000_000

/** @param mostDocuments that are remembered, some 5 KB each. Default: 5,000 */
export function createReader(weights: TermWeights, mostDocuments: number = defaultMost): Reader {
  const weigh = weightOf(weights)
  let lexicon = createLexicon(weigh)
  const remembered = new Map<string, { readonly document: Document; readonly read: ReadDocument }>()

  return {
    get lexicon() {
      return lexicon
    },
    begin() {
      if (lexicon.size < mostWords) return
      lexicon = createLexicon(weigh)
      remembered.clear()
    },
    read(document) {
      const { docid, title, text } = document
      const known = remembered.get(docid)
      remembered.delete(docid)
      const isSame = known?.document.text === text && known.document.title === title
      const entry =
        known !== undefined && isSame ? known : { document, read: readDocument(document, lexicon) }
      remembered.set(docid, entry)
      if (remembered.size > mostDocuments) remembered.delete(remembered.keys().next().value!)
      return entry.read
    },
  }
}
