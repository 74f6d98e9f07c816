/**
 * The words of a query as documents spell them. A fuzzy search finds "bridge" for "brigde". So a word that is in none of the documents
 * is read as the word of the documents that is nearest to it.
 */
import { countBits } from '../runtime/bits.ts'
import type { Document } from '../types.ts'
import { stopWords } from './english.ts'
import { lowered } from './lowered.ts'

const words = /[\p{L}\p{N}]+/gu

/** Words of more letters may have two slips, and shorter ones one, as `fuzziness: AUTO` has it. */
const longest = 5

/** Shorter words and longer ones are not read as others, and of a query no more words than these: each is compared with thousands. */
const [shortest, longestRead, mostRead] = [3, 40, 10]

/** Characters of each document that are looked at. */
const maxRead = 6000

/**
 * @param isIn whether the texts of the documents have a word. Both are in lower case
 * @returns the query with the other words replaced
 */
export function respelled(
  query: string,
  documents: readonly Document[],
  isIn: (word: string, texts: readonly string[]) => boolean,
): string {
  const texts = documents.map(({ title = '', text }) => lowered(`${title} ${text.slice(0, maxRead)}`))
  let all: readonly KnownWord[] | undefined
  let left = mostRead
  return query.replaceAll(words, (word) => {
    const own = lowered(word)
    const isRead = own.length >= shortest && own.length <= longestRead && !stopWords.has(own)
    if (!isRead || isIn(own, texts) || left-- <= 0) return word
    // Most queries are spelled well, and never get here: it reads every word of every text.
    all ??= wordsIn(texts)
    return nearestWord(own, all) ?? word
  })
}

/** A word of the documents. */
export interface KnownWord {
  readonly word: string
  /** Its letters, as bits. Some share a bit. */
  readonly letters: number
  count: number
}

const lettersOf = (word: string): number => {
  let bits = 0
  for (let at = 0; at < word.length; at++) bits |= 1 << (word.charCodeAt(at) & 31)
  return bits
}

/** @param count how often it occurs */
export const knownWord = (word: string, count: number): KnownWord => ({
  word,
  letters: lettersOf(word),
  count,
})

function wordsIn(texts: readonly string[]): readonly KnownWord[] {
  const all = new Map<string, KnownWord>()
  for (const text of texts)
    for (const [word] of text.matchAll(words)) {
      const known = all.get(word)
      if (known === undefined) all.set(word, knownWord(word, 1))
      else known.count++
    }
  return [...all.values()]
}

/** The word with the fewest slips, and of those the most frequent one. */
export function nearestWord(word: string, all: readonly KnownWord[]): string | undefined {
  const most = word.length > longest ? 2 : 1
  const own = lettersOf(word)
  let best: { readonly known: KnownWord; readonly slips: number } | undefined
  for (const known of all) {
    // A slip changes two letters at most. That is looked at first, because nearly all words are far away.
    if (Math.abs(known.word.length - word.length) > most || countBits(known.letters ^ own) > 2 * most)
      continue
    const slips = slipsBetween(word, known.word)
    if (slips > most) continue
    if (best === undefined || slips < best.slips || (slips === best.slips && known.count > best.known.count))
      best = { known, slips }
  }
  return best?.known.word
}

/** Letters that are missing, added or replaced, and neighbors exchanged (optimal string alignment). */
function slipsBetween(one: string, other: string): number {
  let before: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, place) => place)
  for (let at = 1; at <= one.length; at++) {
    const row = [at]
    for (let to = 1; to <= other.length; to++) {
      const replaced = last[to - 1]! + (one[at - 1] === other[to - 1] ? 0 : 1)
      const isExchanged = one[at - 1] === other[to - 2] && one[at - 2] === other[to - 1]
      const exchanged = at > 1 && to > 1 && isExchanged ? before[to - 2]! + 1 : Number.POSITIVE_INFINITY
      row.push(Math.min(last[to]! + 1, row[to - 1]! + 1, replaced, exchanged))
    }
    before = last
    last = row
  }
  return last[other.length]!
}
