/**
 * Assigns integer ids to words, stems and phrases. Each word is looked up once; all later comparisons are between integers.
 * Words, stems, prefixes and phrases have separate ids, each from 0 (phrases from 1).
 */
import { nameParticles, stopWords } from './english.ts'
import { lowered } from './lowered.ts'
import { createPairIndex } from './pair-index.ts'
import { hashOf, type Scan } from './scan.ts'
import { stemOf } from './stem.ts'
import { createWordIndex } from './word-index.ts'

/** Properties of a word: bits of `Lexicon.flags`. */
export const Flag = {
  capitalized: 1,
  number: 2,
  stopWord: 4,
  /** Its stem has a weight above 0. */
  content: 8,
  /** It may stand inside a name: "of". */
  particle: 16,
} as const

export interface Lexicon {
  /** Looks up the words of a scanned text, and adds those that are new. Writes the facts of each word to its place. */
  read(text: string, scanned: Scan, into: WordFacts): void
  /** The text of a word. */
  text(word: number): string
  /** The id of the word in lower case, without accents. */
  lower(word: number): number
  /** The id of the word's stem. Stop words have stems too. */
  stem(word: number): number
  /** The id of the word's first five letters, in lower case. */
  prefix(word: number): number
  /** The bits of `Flag` that apply to the word. */
  flags(word: number): number
  /** A stem's inverse document frequency, ln(1 + N / (n + ½)). 0 for stop words. */
  weight(stem: number): number
  /** The id of a stem. */
  stemId(stem: string): number
  /** The text of a stem. */
  stemText(stem: number): string
  /** The id of a phrase, ignoring case and accents. */
  phrase(words: Int32Array, start: number, end: number): number
  /** Number of words and phrases with ids. */
  readonly size: number
}

/** Facts about the words of a text. */
interface WordFacts {
  /** Ids of the words, and of their stems. */
  readonly words: Int32Array
  readonly stems: Int32Array
  /** The bits of `Flag`. */
  readonly flags: Uint8Array
}

/** The facts about a word are adjacent in memory: they are read together, while words are accessed in random order. */
const [lowerFact, stemFact, prefixFact, flagsFact, factCount] = [0, 1, 2, 3, 4]

/** The note of a word in the index is its stem, above the bits of its flags: both are read with the word. */
const flagBits = 5

/** @param weightOf stem → its weight, above 0; called once for each stem */
export function createLexicon(weightOf: (stem: string) => number): Lexicon {
  const texts: string[] = []
  let facts = new Int32Array(factCount << 12)
  const index = createWordIndex()
  const prefixIds = new Map<string, number>()
  const stemIds = new Map<string, number>()
  const stemTexts: string[] = []
  const weights: number[] = []
  /** (phrase, next word) → the longer phrase. The empty phrase is 0. */
  const phrases = createPairIndex()

  /** The place of a word in the index. A new one is learned. */
  function placeOf(text: string, start: number, end: number, hash: number): number {
    const place = index.find(text, start, end, hash)
    if (index.idAt(place) !== -1) return place
    learn(copyOf(text, start, end), hash)
    return index.find(text, start, end, hash)
  }

  function learn(text: string, hash: number): void {
    const word = index.add(text, hash)
    texts.push(text)
    if (factCount * texts.length > facts.length) {
      const fewer = facts
      facts = new Int32Array(2 * fewer.length)
      facts.set(fewer)
    }
    const lower = lowered(text) || text
    const isStopWord = stopWords.has(lower)
    const first = text[0]!
    // Learning the lower-case word may reallocate `facts`, so it comes before writing to them.
    const lowerWord =
      lower === text ? word : index.idAt(placeOf(lower, 0, lower.length, hashOf(lower, 0, lower.length)))
    // Not of "Watson™": in lower case it is "watsonTM", which has a lower case of its own.
    const isKnown = lowerWord !== word && facts[factCount * lowerWord + lowerFact] === lowerWord
    const stem = isKnown
      ? facts[factCount * lowerWord + stemFact]!
      : stemId(isStopWord ? lower : stemOf(lower))
    const flags =
      (first !== first.toLowerCase() ? Flag.capitalized : 0) +
      (/^\p{N}/u.test(text) ? Flag.number : 0) +
      (isStopWord ? Flag.stopWord : 0) +
      (weights[stem]! > 0 ? Flag.content : 0) +
      (nameParticles.has(text) ? Flag.particle : 0)
    const at = factCount * word
    facts[at + lowerFact] = lowerWord
    facts[at + stemFact] = stem
    facts[at + prefixFact] = isKnown
      ? facts[factCount * lowerWord + prefixFact]!
      : prefixId(lower.slice(0, prefixLength))
    facts[at + flagsFact] = flags
    index.note(text, hash, (stem << flagBits) | flags)
  }

  /** A weight depends only on the stem, not on the first word with that stem: "others" has weight 0 because "other" has. */
  function stemId(text: string): number {
    const known = stemIds.get(text)
    if (known !== undefined) return known
    const id = weights.length
    stemIds.set(text, id)
    stemTexts.push(text)
    weights.push(stopWords.has(text) ? 0 : weightOf(text))
    return id
  }

  function prefixId(prefix: string): number {
    const known = prefixIds.get(prefix)
    if (known !== undefined) return known
    prefixIds.set(prefix, prefixIds.size)
    return prefixIds.size - 1
  }

  function read(text: string, scanned: Scan, { words, stems, flags }: WordFacts): void {
    const { count, starts, ends, hashes } = scanned
    for (let place = 0; place < count; place++) {
      const at = placeOf(text, starts[place]!, ends[place]!, hashes[place]!)
      const known = index.noteAt(at)
      words[place] = index.idAt(at)
      stems[place] = known >> flagBits
      flags[place] = known & ((1 << flagBits) - 1)
    }
  }

  return {
    read,
    text: (word) => texts[word]!,
    lower: (word) => facts[factCount * word + lowerFact]!,
    stem: (word) => facts[factCount * word + stemFact]!,
    prefix: (word) => facts[factCount * word + prefixFact]!,
    flags: (word) => facts[factCount * word + flagsFact]!,
    weight: (stem) => weights[stem]!,
    stemId,
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

/** In V8, a slice of this length or more keeps the whole text in memory. */
const sharedLength = 13

const copyOf = (text: string, start: number, end: number): string =>
  end - start < sharedLength ? text.slice(start, end) : text.slice(start, end).split('').join('')
