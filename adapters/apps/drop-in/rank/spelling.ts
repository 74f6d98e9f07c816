/** The words of a query as the engine found them. A re-ranker would find nothing for a word that is spelled differently. */
import { respelled } from '../../../../src/text/nearest-word.ts'
import { stemOf } from '../../../../src/text/stem.ts'
import type { Document } from '../../../../src/types.ts'

/** @returns the query with each word that is in none of the documents, in no form, replaced by the nearest that is */
export function asFound(query: string, documents: readonly Document[]): string {
  const hasStem = stemFinder()
  return respelled(query, documents, (word, texts) => texts.some((text) => hasStem(text, stemOf(word))))
}

/** Finds a word of a stem in a text. Only words that begin as the stem does are read: stemming changes two letters of it at most. */
function stemFinder(): (text: string, stem: string) => boolean {
  const stems = new Map<string, string>()
  return (text, stem) => {
    const beginning = stem.slice(0, Math.max(1, stem.length - 2))
    for (let at = text.indexOf(beginning); at !== -1; at = text.indexOf(beginning, at + 1)) {
      if (inWord.test(text[at - 1] ?? ' ')) continue
      wordAt.lastIndex = at
      const [word = ''] = wordAt.exec(text) ?? []
      const own = stems.get(word) ?? stemOf(word)
      stems.set(word, own)
      if (own === stem) return true
    }
    return false
  }
}

const inWord = /[\p{L}\p{N}]/u
const wordAt = /[\p{L}\p{N}]+/uy
