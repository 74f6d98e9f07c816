/**
 * Words as numbers: every word is looked up once, and whatever is compared afterwards is compared as integers.
 */
import { lowered, stemOf } from './stem.ts'

export const isCapitalized = 1
export const isNumber = 2
export const isStopWord = 4

export interface Lexicon {
  /** The number of a word as it stands there. */
  word(text: string): number
  /** The word of a number. */
  text(word: number): string
  /** The number of the word in lower case, without accents. */
  lower(word: number): number
  /** The number of its stem; stop words have one too. */
  stem(word: number): number
  /** Its first five letters, in lower case. */
  prefix(word: number): string
  /** `isCapitalized`, `isNumber`, `isStopWord`, added. */
  flags(word: number): number
  /** How much a stem says: its inverse document frequency, ln(1 + N / (n + ½)). 0 for stop words. */
  weight(stem: number): number
  /** The number of a stem that is given as such. */
  stemNamed(stem: string): number
  /** The stem of a number. */
  stemText(stem: number): string
  /** The number of a phrase, whatever the case of its words. */
  phrase(words: Int32Array, start: number, end: number): number
  /** How many words are known. */
  readonly size: number
  /** How many stems are known. */
  readonly stems: number
}

/** Words that carry no matter of their own: those that are searched for nowhere, and those that only shape a question. */
const stopWords = new Set(
  (
    'a an and are as at be been being but by can could did do does for from had has have he her hers him his how i if in into ' +
    'is it its itself me my no nor not of on or our out s she should so some such t than that the their them then there these ' +
    'they this those to too up us was we were what when where which while who whom whose why will with would you your also both ' +
    'same other between during after before about'
  ).split(' '),
)

/**
 * @param weightOf stem → its weight, above 0; asked once a stem
 */
export function createLexicon(weightOf: (stem: string) => number): Lexicon {
  const numbers = new Map<string, number>()
  const texts: string[] = []
  const lowers: number[] = []
  const stems: number[] = []
  const prefixes: string[] = []
  const flags: number[] = []
  const stemNumbers = new Map<string, number>()
  const stemTexts: string[] = []
  const weights: number[] = []
  const phrases = new Map<string, number>()

  function stemNumber(text: string, stopped: boolean): number {
    const known = stemNumbers.get(text)
    if (known !== undefined) return known
    const number = weights.length
    stemNumbers.set(text, number)
    stemTexts.push(text)
    weights.push(stopped ? 0 : weightOf(text))
    return number
  }

  function word(text: string): number {
    const known = numbers.get(text)
    if (known !== undefined) return known
    const number = texts.length
    numbers.set(text, number)
    texts.push(text)
    const lower = lowered(text) || text
    lowers.push(number)
    prefixes.push(lower.slice(0, 5))
    stems.push(0)
    flags.push(0)
    if (lower !== text) lowers[number] = word(lower)
    const stopped = stopWords.has(lower)
    stems[number] = stemNumber(stopped ? lower : stemOf(lower), stopped)
    const first = text[0]!
    flags[number] =
      (first !== first.toLowerCase() ? isCapitalized : 0) +
      (/^\p{N}/u.test(text) ? isNumber : 0) +
      (stopped ? isStopWord : 0)
    return number
  }

  return {
    word,
    text: (number) => texts[number]!,
    lower: (number) => lowers[number]!,
    stem: (number) => stems[number]!,
    prefix: (number) => prefixes[number]!,
    flags: (number) => flags[number]!,
    weight: (number) => weights[number]!,
    stemNamed: (stem) => stemNumber(stem, stopWords.has(stem)),
    stemText: (stem) => stemTexts[stem]!,
    phrase(words, start, end) {
      let key = ''
      for (let place = start; place < end; place++) key += `${lowers[words[place]!]} `
      const found = phrases.get(key)
      if (found !== undefined) return found
      phrases.set(key, phrases.size)
      return phrases.size - 1
    },
    get size() {
      return texts.length
    },
    get stems() {
      return weights.length
    },
  }
}
