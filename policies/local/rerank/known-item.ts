/**
 * Known items: a search for one document that the user has in mind, by its title or by words that no other document has. The
 * search engine finds these. Neither other words nor a re-ranker can do better.
 */

import { Flag, type Lexicon } from '../../../src/text/lexicon.ts'
import type { ParsedDocument } from '../../../src/text/parse-document.ts'
import { type ParsedText, phraseOf } from '../../../src/text/parse-text.ts'
import { isTypoOf } from './is-typo-of.ts'
import type { Retrieved } from './pool.ts'

/**
 * If the first score is at least this many times the second, its document stays first. Querent's value. On 2,300 queries of eight
 * judged collections (BM25), the re-ranker moved such a document in 6 of 473 cases, never for the better.
 */
const farAhead = 1.5

/**
 * Whether a text asks for a document by its title. Ignores case, "who is", "what is" and other words without meaning. Accepts the
 * title with and without its parenthesized part, and the whole title with one slip of the keyboard, which engines with fuzzy
 * matching find and a re-ranker would not see.
 */
export function asksForTitle(
  { words, contentStems }: ParsedText,
  { title, name }: ParsedDocument,
  lexicon: Lexicon,
): boolean {
  if (contentStems.length === 0) return false
  const named = title.stems.filter(
    (_, place) => place < name.length && lexicon.flags(title.words[place]!) & Flag.content,
  )
  if (isSame(contentStems, title.contentStems) || isSame(contentStems, [...new Set(named)])) return true
  const written = (of: Int32Array): string => phraseOf(of, 0, of.length, lexicon)
  return isTypoOf(written(words), written(title.words))
}

/**
 * The row of the document that stays first, whatever the re-ranker's scores. It is the first document of the original query's
 * lexical search, if it is far ahead of the second one or the query is its title. Of several lexical searches, the first counts.
 *
 * @param reads the documents of `retrieved.candidates`, in their order
 * @returns undefined if no document stays first
 */
export function knownItem(
  { candidates, lexical }: Retrieved,
  question: ParsedText,
  reads: readonly ParsedDocument[],
  lexicon: Lexicon,
): number | undefined {
  const row = candidates.findIndex(({ docid }) => docid === lexical.docid)
  if (row === -1) return undefined
  const isFarAhead = lexical.first > 0 && lexical.first >= farAhead * lexical.second
  return isFarAhead || asksForTitle(question, reads[row]!, lexicon) ? row : undefined
}

const isSame = (one: ArrayLike<number>, other: ArrayLike<number>): boolean =>
  one.length === other.length && Array.from(one).every((stem, place) => stem === other[place])
