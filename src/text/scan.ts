/** Splits a text into words and sentences, in one pass over its characters. */
import { abbreviations } from './english.ts'

/** The words of a text, in order, and the beginnings of its sentences. */
export interface Scan {
  /** Start offset of each word. */
  readonly starts: readonly number[]
  /** End offset of each word, without a possessive `'s`. */
  readonly ends: readonly number[]
  /** For each word, whether punctuation that separates phrases precedes it. */
  readonly breaks: readonly boolean[]
  /** Index of the first word of each sentence, ascending. Empty if there are no words. */
  readonly sentences: readonly number[]
  /** Phrases in double quotes, as [index of the first word, index of the word after the last one]. */
  readonly quoted: readonly (readonly [number, number])[]
}

const maxAbbreviationLength = Math.max(...[...abbreviations].map((word) => word.length))

/**
 * Scans a text. Words are runs of letters, digits and marks of any script. A period does not end a sentence after an initial
 * ("T. S. Eliot") or an abbreviation ("Mr."), nor before a lower-case letter. A new line always does.
 */
export function scan(text: string): Scan {
  const starts: number[] = []
  const ends: number[] = []
  const breaks: boolean[] = []
  const sentences: number[] = []
  const quoted: (readonly [number, number])[] = []
  let broken = true
  let startsSentence = true
  let mayEnd = false
  let quote = -1

  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at)
    if (isWordCode(code)) {
      const start = at
      do at++
      while (at < text.length && isWordCode(text.charCodeAt(at)))
      if (mayEnd && !isSmall(text.charCodeAt(start))) startsSentence = true
      if (startsSentence) {
        sentences.push(starts.length)
        broken = true
      }
      starts.push(start)
      ends.push(at)
      breaks.push(broken)
      broken = startsSentence = mayEnd = false
      at = afterPossessive(text, at)
      continue
    }
    if (code === 0x2e) {
      // The period of an initial or an abbreviation belongs to the word and does not break a name.
      if (ends.at(-1) !== at || !isShortened(text, starts.at(-1)!, at)) {
        mayEnd = /\s|["'\u201d\u2019)\]]/.test(text[at + 1] ?? ' ')
        broken = true
      }
    } else if (code === 0x21 || code === 0x3f || code === 0x3002) {
      mayEnd = broken = true
    } else if (code === 0x0a) {
      startsSentence = broken = true
    } else if (code === 0x22 || code === 0x201c || code === 0x201d) {
      if (quote === -1 || code === 0x201c) quote = starts.length
      else {
        const count = starts.length - quote
        if (count > 0 && count <= maxQuoteWords) quoted.push([quote, starts.length])
        quote = -1
      }
      broken = true
    } else if (
      code !== 0x20 &&
      code !== 0x09 &&
      code !== 0x0d &&
      code !== 0xa0 &&
      code !== 0x2d &&
      code !== 0x27 &&
      code !== 0x2019
    ) {
      broken = true
    }
    at++
  }
  return { starts, ends, breaks, sentences, quoted }
}

/** The maximum number of words in a quoted phrase. Longer quotations are not titles. */
const maxQuoteWords = 12

/** Letters, digits and marks of any script, without the punctuation and symbols between their code blocks. */
function isWordCode(code: number): boolean {
  if (code < 0x80) return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || isDigit(code)
  if (code < 0xc0) return code === 0xaa || code === 0xb5 || code === 0xba
  if (code === 0xd7 || code === 0xf7) return false
  if (code < 0x2000) return true
  // General punctuation, symbols, arrows, box drawing; then the punctuation of Chinese and Japanese.
  if (code < 0x2c00) return (code >= 0x2070 && code <= 0x209c) || (code >= 0x2100 && code <= 0x218b)
  return (
    !(code >= 0x3000 && code <= 0x3004) &&
    !(code >= 0x3008 && code <= 0x3020) &&
    !(code >= 0xff00 && code <= 0xff0f)
  )
}

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39

const isSmall = (code: number): boolean => (code >= 0x61 && code <= 0x7a) || (code >= 0xdf && code <= 0xff)

/** Whether a word before a period is an initial or an abbreviation. */
function isShortened(text: string, start: number, end: number): boolean {
  if (end - start === 1) return !isDigit(text.charCodeAt(start))
  return end - start <= maxAbbreviationLength && abbreviations.has(text.slice(start, end).toLowerCase())
}

/** Skips a possessive `'s` at `at`. */
function afterPossessive(text: string, at: number): number {
  const code = text.charCodeAt(at)
  if (code !== 0x27 && code !== 0x2019) return at
  const letter = text.charCodeAt(at + 1)
  if ((letter !== 0x73 && letter !== 0x53) || isWordCode(text.charCodeAt(at + 2))) return at
  return at + 2
}
