/** Splits a text into words and sentences, in one pass over its characters. */
import { Kind, kinds } from './character-kinds.ts'
import { abbreviations } from './english.ts'

/** The words of a text, in order, and the beginnings of its sentences. All arrays but the last two are reused by the next scan. */
export interface Scan {
  /** The number of words. */
  readonly count: number
  /** Start offset of each word. */
  readonly starts: Int32Array
  /** End offset of each word, without a possessive `'s`. */
  readonly ends: Int32Array
  /** A hash of each word, as `hashOf` computes it. */
  readonly hashes: Int32Array
  /** For each word, 1 if punctuation that separates phrases precedes it. */
  readonly breaks: Uint8Array
  /** Index of the first word of each sentence, ascending. Empty if there are no words. */
  readonly sentences: readonly number[]
  /** Phrases in double quotes, as [index of the first word, index of the word after the last one]. */
  readonly quoted: readonly (readonly [number, number])[]
}

const maxAbbreviationLength = Math.max(...[...abbreviations].map((word) => word.length))

/** Reused by every text: arrays that grow word by word cost more than the words. */
let buffers = createBuffers(1 << 10)

function createBuffers(size: number): Pick<Scan, 'starts' | 'ends' | 'hashes' | 'breaks'> {
  return {
    starts: new Int32Array(size),
    ends: new Int32Array(size),
    hashes: new Int32Array(size),
    breaks: new Uint8Array(size),
  }
}

/** The hash of a stretch of a text. */
export function hashOf(text: string, start: number, end: number): number {
  let hash = 0
  for (let at = start; at < end; at++) hash = nextHash(hash, text.charCodeAt(at))
  return hash
}

const nextHash = (hash: number, code: number): number => (Math.imul(hash, 31) + code) | 0

/**
 * Scans a text. Words are runs of letters, digits and marks of any script. A period does not end a sentence after an initial
 * ("T. S. Eliot") or an abbreviation ("Mr."), nor before a lower-case letter. A new line always does.
 */
export function scan(text: string): Scan {
  // A word has at least one character, and one stands between two words.
  const most = (text.length >> 1) + 1
  if (most > buffers.starts.length) buffers = createBuffers(1 << (32 - Math.clz32(most)))
  const { starts, ends, hashes, breaks } = buffers
  const sentences: number[] = []
  const quoted: (readonly [number, number])[] = []
  let count = 0
  let broken = true
  let startsSentence = true
  let mayEnd = false
  let quote = -1

  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at)
    const kind = kinds[code]!
    if (kind >= Kind.word) {
      starts[count] = at
      let hash = 0
      for (let next = code; ; ) {
        hash = nextHash(hash, next)
        if (++at === text.length) break
        next = text.charCodeAt(at)
        if (kinds[next]! < Kind.word) break
      }
      if (mayEnd && kind !== Kind.small) startsSentence = true
      if (startsSentence) {
        sentences.push(count)
        broken = true
      }
      ends[count] = at
      hashes[count] = hash
      breaks[count++] = broken ? 1 : 0
      broken = startsSentence = mayEnd = false
      at = afterPossessive(text, at)
      continue
    }
    if (kind === Kind.period) {
      // The period of an initial or an abbreviation belongs to the word and does not break a name.
      if (count === 0 || ends[count - 1] !== at || !isShortened(text, starts[count - 1]!, at)) {
        mayEnd = /[\s"'\u201d\u2019)\]]/.test(text[at + 1] ?? ' ')
        broken = true
      }
    } else if (kind === Kind.end) {
      mayEnd = broken = true
    } else if (kind === Kind.newLine) {
      startsSentence = broken = true
    } else if (kind === Kind.quote) {
      if (quote === -1 || code === 0x201c) quote = count
      else {
        if (count > quote && count - quote <= maxQuoteWords) quoted.push([quote, count])
        quote = -1
      }
      broken = true
    } else if (kind === Kind.separator) {
      broken = true
    }
    at++
  }
  return { count, starts, ends, hashes, breaks, sentences, quoted }
}

/** The maximum number of words in a quoted phrase. Longer quotations are not titles. */
const maxQuoteWords = 12

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39

/** Whether a word before a period is an initial or an abbreviation. */
function isShortened(text: string, start: number, end: number): boolean {
  if (end - start === 1) return !isDigit(text.charCodeAt(start))
  return end - start <= maxAbbreviationLength && abbreviations.has(text.slice(start, end).toLowerCase())
}

/** Skips a possessive `'s` at `at`. */
function afterPossessive(text: string, at: number): number {
  const code = text.charCodeAt(at)
  if (code !== 0x27 && code !== 0x2019) return at
  if (at + 2 < text.length && kinds[text.charCodeAt(at + 2)]! >= Kind.word) return at
  const letter = text.charCodeAt(at + 1)
  return letter === 0x73 || letter === 0x53 ? at + 2 : at
}
