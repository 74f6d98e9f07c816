/**
 * Known items: a search for one document that the user has in mind, by its title or by words that no other document has. The
 * search engine finds these. Neither other words nor a re-ranker can do better.
 */

import { Flag, type Lexicon } from '../../../src/text/lexicon.ts'
import type { ParsedDocument } from '../../../src/text/parse-document.ts'
import { type ParsedText, phraseOf } from '../../../src/text/parse-text.ts'
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

/**
 * Whether one text is a typo of the other: a Damerau–Levenshtein distance of at most 1 (a letter is missing, added or replaced, or two
 * neighbors are exchanged). Ignores case, spaces and punctuation. Digits are never typos, because another year is another thing.
 * Texts of fewer than six letters and digits must be equal.
 */
export function isTypoOf(one: string, other: string): boolean {
  const [a, b] = [onlyLetters(one), onlyLetters(other)]
  if (a === b) return a !== ''
  const [shorter, longer] = a.length <= b.length ? [a, b] : [b, a]
  if (shorter.length < minLength || longer.length > shorter.length + 1) return false
  let at = 0
  while (at < shorter.length && shorter[at] === longer[at]) at++
  const rest = (text: string, skipped: number): string => text.slice(at + skipped)
  if (longer.length > shorter.length) return isLetter(longer[at]) && rest(longer, 1) === rest(shorter, 0)
  if (!isLetter(a[at]) || !isLetter(b[at])) return false
  const isExchanged = a[at] === b[at + 1] && a[at + 1] === b[at] && rest(a, 2) === rest(b, 2)
  return isExchanged || rest(a, 1) === rest(b, 1)
}

const minLength = 6

const onlyLetters = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

const isLetter = (character: string | undefined): boolean =>
  character !== undefined && /\p{L}/u.test(character)
