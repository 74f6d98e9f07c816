/** Parses a text for candidates and features: word ids, sentences, names. */
import { createIntSet } from './int-set.ts'
import { Flag, type Lexicon } from './lexicon.ts'
import { type Scan, scan } from './scan.ts'

/** A phrase that may be a name: a run of capitalized words, or a quoted phrase. */
export interface Name {
  /** Index of its first word in the text. */
  readonly start: number
  /** Index of the word after its last one. */
  readonly end: number
  /** Index of its sentence. */
  readonly sentence: number
  /** The phrase's id in the lexicon. */
  readonly phrase: number
}

export interface ParsedText {
  /** The lexicon's id of every word. */
  readonly words: Int32Array
  /** The id of every word's stem. */
  readonly stems: Int32Array
  /** Index of the first word of each sentence, and the number of words at the end. */
  readonly sentences: Int32Array
  /** The stems with a weight above 0, without duplicates. */
  readonly contentStems: Int32Array
  /** Indices of the words that begin with a capital letter or a digit. */
  readonly marked: Int32Array
  /** In the order of the text. */
  readonly names: readonly Name[]
}

/** Number of consecutive particles allowed inside a name. */
const maxParticles = 2

const maxNameWords = 8

/** Reused for every text: the stems seen, the words seen inside of a sentence, the stems with content in their order, the words' flags. */
const seen = createIntSet()
const insiders = createIntSet()
let content = new Int32Array(1 << 10)
let marked = new Int32Array(1 << 10)
let flags = new Uint8Array(1 << 10)

const nothing = new Int32Array()

/** @param before stems that `contentStems` begins with. Default: none */
export function parseText(text: string, lexicon: Lexicon, before: Int32Array = nothing): ParsedText {
  const scanned = scan(text)
  const { count, sentences: sentenceStarts } = scanned
  const words = new Int32Array(count)
  const stems = new Int32Array(count)
  if (count > flags.length) {
    marked = new Int32Array(2 * count)
    flags = new Uint8Array(2 * count)
  }
  lexicon.read(text, scanned, { words, stems, flags })
  if (before.length + count > content.length) content = new Int32Array(2 * (before.length + count))
  let [contents, marks] = [before.length, 0]
  content.set(before)
  seen.reset(before)
  for (let place = 0; place < count; place++) {
    if (flags[place]! & Flag.content && seen.add(stems[place]!)) content[contents++] = stems[place]!
    if (flags[place]! & (Flag.capitalized | Flag.number)) marked[marks++] = place
  }
  const sentences = new Int32Array(sentenceStarts.length + 1)
  sentences.set(sentenceStarts)
  sentences[sentenceStarts.length] = count
  const names = namesIn(words, scanned, lexicon)
  return {
    words,
    stems,
    sentences,
    contentStems: content.slice(0, contents),
    marked: marked.slice(0, marks),
    names,
  }
}

/** Call this right after reading the words: it needs their `flags`. */
function namesIn(
  words: Int32Array,
  { starts, ends, breaks, sentences, quoted }: Scan,
  lexicon: Lexicon,
): readonly Name[] {
  const names: Name[] = []
  insiders.clear()
  for (let place = 0, next = 0; place < words.length; place++)
    if (sentences[next] === place) next++
    else if (flags[place]! & Flag.capitalized) insiders.add(words[place]!)
  let sentence = 0
  for (let place = 0; place < words.length; ) {
    if ((flags[place]! & Flag.capitalized) === 0) {
      place++
      continue
    }
    while (sentence + 1 < sentences.length && sentences[sentence + 1]! <= place) sentence++
    const end = endOfRun(place)
    // A stop word such as "The" does not begin a name.
    let start = place
    while (start < end && flags[start]! & Flag.stopWord) start++
    // A single letter is not a name. Neither is a word that is capitalized only because it begins a sentence.
    const isName =
      end - start === 1
        ? ends[start]! - starts[start]! > 1 && (start !== sentences[sentence] || insiders.has(words[start]!))
        : start < end
    if (isName) names.push({ start, end, sentence, phrase: lexicon.phrase(words, start, end) })
    place = end
  }
  return quoted.length === 0 ? names : withQuoted(names)

  /** Index of the word after the last capitalized word of the run that begins at `start`. */
  function endOfRun(start: number): number {
    let end = start + 1
    let particles = 0
    for (
      let place = start + 1;
      place < words.length && place - start < maxNameWords + maxParticles;
      place++
    ) {
      if (breaks[place]) break
      if (flags[place]! & (Flag.capitalized | Flag.number)) {
        end = place + 1
        particles = 0
      } else if (particles < maxParticles && flags[place]! & Flag.particle) particles++
      else break
    }
    return end
  }

  /** A quoted phrase is one name. It replaces the names inside it. */
  function withQuoted(others: readonly Name[]): Name[] {
    const inQuotes: Name[] = []
    /** Where the quoted name ends that a word is part of. */
    const endOf = new Map<number, number>()
    let last = 0
    for (const [start, end] of quoted) {
      if (!(flags[start]! & (Flag.capitalized | Flag.number))) continue
      while (last + 1 < sentences.length && sentences[last + 1]! <= start) last++
      inQuotes.push({ start, end, sentence: last, phrase: lexicon.phrase(words, start, end) })
      for (let place = start; place < end; place++) endOf.set(place, end)
    }
    const outside = others.filter(({ start, end }) => end > (endOf.get(start) ?? 0))
    return [...outside, ...inQuotes].sort((a, b) => a.start - b.start || a.end - b.end)
  }
}

/** The words from `start` (included) to `end` (excluded), joined by spaces. */
export function phraseOf(words: Int32Array, start: number, end: number, lexicon: Lexicon): string {
  let phrase = ''
  for (let place = start; place < end; place++)
    phrase += (phrase === '' ? '' : ' ') + lexicon.text(words[place]!)
  return phrase
}
