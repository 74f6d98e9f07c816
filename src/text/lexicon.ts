/**
 * Words as numbers: every word is looked up once, and whatever is compared afterwards is compared as integers.
 */
import { createPairNumbers } from './pair-index.ts'
import { lowered, stemOf } from './stem.ts'

export const isCapitalized = 1
export const isNumber = 2
export const isStopWord = 4
/** Whether its stem has a weight. */
export const isMatter = 8

export interface Lexicon {
  /** The number of the word that stands in a text from `start` to `end`. */
  wordIn(text: string, start: number, end: number): number
  /** The word of a number. */
  text(word: number): string
  /** The number of the word in lower case, without accents. */
  lower(word: number): number
  /** The number of its stem; stop words have one too. */
  stem(word: number): number
  /** The number of its first five letters, in lower case. */
  prefix(word: number): number
  /** `isCapitalized`, `isNumber`, `isStopWord`, `isMatter`, added. */
  flags(word: number): number
  /** How much a stem says: its inverse document frequency, ln(1 + N / (n + ½)). 0 for stop words. */
  weight(stem: number): number
  /** The number of a stem that is given as such. */
  stemNamed(stem: string): number
  /** The stem of a number. */
  stemText(stem: number): string
  /** The number of a phrase, whatever the case of its words. */
  phrase(words: Int32Array, start: number, end: number): number
  /** How many words and phrases are known. */
  readonly size: number
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

/** Where the facts about a word stand: side by side, since they are asked for together and words come in no order. */
const [lowerFact, stemFact, prefixFact, flagsFact, factCount] = [0, 1, 2, 3, 4]

/**
 * @param weightOf stem → its weight, above 0; asked once a stem
 */
export function createLexicon(weightOf: (stem: string) => number): Lexicon {
  const texts: string[] = []
  const hashes: number[] = []
  let facts = new Int32Array(factCount << 12)
  /** Words by hash, with open addressing: cheaper than a string for every word of every text. 0 is an empty slot. */
  let slots = new Int32Array(1 << 13)
  const prefixes = new Map<string, number>()
  const stems = new Map<string, number>()
  const stemTexts: string[] = []
  const weights: number[] = []
  /** A phrase, or 0 for that of no word, and the word that follows → the longer phrase. */
  const phrases = createPairNumbers()

  function wordIn(text: string, start: number, end: number): number {
    let hash = 0
    for (let at = start; at < end; at++) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0
    const mask = slots.length - 1
    let slot = spread(hash) & mask
    for (; slots[slot] !== 0; slot = (slot + 1) & mask) {
      const known = slots[slot]! - 1
      if (hashes[known] === hash && isAt(texts[known]!, text, start, end)) return known
    }
    return learn(copyOf(text, start, end), hash, slot)
  }

  function learn(text: string, hash: number, slot: number): number {
    const word = texts.length
    slots[slot] = word + 1
    texts.push(text)
    hashes.push(hash)
    if (2 * texts.length > slots.length) grow()
    const lower = lowered(text) || text
    const isStopped = stopWords.has(lower)
    const stem = stemNumber(isStopped ? lower : stemOf(lower))
    const first = text[0]!
    // Learning the lower form may move the facts: they are written when it is done.
    const lowerWord = lower === text ? word : wordIn(lower, 0, lower.length)
    const at = factCount * word
    facts[at + lowerFact] = lowerWord
    facts[at + stemFact] = stem
    facts[at + prefixFact] = prefixNumber(lower.slice(0, prefixLength))
    facts[at + flagsFact] =
      (first !== first.toLowerCase() ? isCapitalized : 0) +
      (/^\p{N}/u.test(text) ? isNumber : 0) +
      (isStopped ? isStopWord : 0) +
      (weights[stem]! > 0 ? isMatter : 0)
    return word
  }

  function grow(): void {
    slots = new Int32Array(2 * slots.length)
    const mask = slots.length - 1
    hashes.forEach((hash, word) => {
      let slot = spread(hash) & mask
      while (slots[slot] !== 0) slot = (slot + 1) & mask
      slots[slot] = word + 1
    })
    const before = facts
    facts = new Int32Array(2 * before.length)
    facts.set(before)
  }

  /** What a stem says depends on nothing but itself: "others" is no matter, since "other" is none, whichever came first. */
  function stemNumber(text: string): number {
    const known = stems.get(text)
    if (known !== undefined) return known
    const number = weights.length
    stems.set(text, number)
    stemTexts.push(text)
    weights.push(stopWords.has(text) ? 0 : weightOf(text))
    return number
  }

  function prefixNumber(prefix: string): number {
    const known = prefixes.get(prefix)
    if (known !== undefined) return known
    prefixes.set(prefix, prefixes.size)
    return prefixes.size - 1
  }

  return {
    wordIn,
    text: (word) => texts[word]!,
    lower: (word) => facts[factCount * word + lowerFact]!,
    stem: (word) => facts[factCount * word + stemFact]!,
    prefix: (word) => facts[factCount * word + prefixFact]!,
    flags: (word) => facts[factCount * word + flagsFact]!,
    weight: (stem) => weights[stem]!,
    stemNamed: stemNumber,
    stemText: (stem) => stemTexts[stem]!,
    phrase(words, start, end) {
      let phrase = 0
      for (let place = start; place < end; place++)
        phrase = phrases.of(phrase, facts[factCount * words[place]! + lowerFact]!)
      return phrase
    },
    get size() {
      return texts.length + phrases.size
    },
  }
}

const prefixLength = 5

/** Brings the high bits of a hash into its low ones. */
const spread = (hash: number): number => hash ^ (hash >>> 15)

function isAt(word: string, text: string, start: number, end: number): boolean {
  if (word.length !== end - start) return false
  for (let at = 0; at < word.length; at++)
    if (word.charCodeAt(at) !== text.charCodeAt(start + at)) return false
  return true
}

/** Slices of this length or more keep the whole text that they are cut from in memory. */
const sharedLength = 13

const copyOf = (text: string, start: number, end: number): string =>
  end - start < sharedLength ? text.slice(start, end) : text.slice(start, end).split('').join('')
