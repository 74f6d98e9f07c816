/** Texts as the candidates and the features read them: words as numbers, sentences, names. */

import { createMarks } from './int-set.ts'
import { isCapitalized, isMatter, isNumber, isStopWord, type Lexicon } from './lexicon.ts'
import { type Scan, scan } from './scan.ts'

/** A phrase that may be the name of something: a run of capitalised words, or what stands in quotes. */
export interface Name {
  /** Place of its first word in the text, and of the word after its last one. */
  readonly start: number
  readonly end: number
  /** Which sentence, from 0. */
  readonly sentence: number
  /** The number of the phrase, the same for the same words in any case. */
  readonly phrase: number
}

export interface ReadText {
  /** Every word, as a number of the lexicon. */
  readonly words: Int32Array
  /** The stem of every word. */
  readonly stems: Int32Array
  /** First word of each sentence, and the number of words. */
  readonly sentences: Int32Array
  /** The stems that say something, each once. */
  readonly matter: Int32Array
  /** In the order of the text. */
  readonly names: readonly Name[]
}

/** Words that join the capitalised words of a name: "Journal of the History of Ideas". */
const joining = new Set('of the de la le du des von van der den da di del al bin ibn y e'.split(' '))

/** Small words may stand inside a name, not more than this many in a row. */
const mostJoining = 2

const longestName = 8

/** Used anew by every text. */
const seen = createMarks()

export function readText(text: string, lexicon: Lexicon): ReadText {
  const scanned = scan(text)
  const { starts, ends, sentences: begins } = scanned
  const count = starts.length
  const words = new Int32Array(count)
  const stems = new Int32Array(count)
  const matter: number[] = []
  seen.clear()
  for (let place = 0; place < count; place++) {
    const word = lexicon.wordIn(text, starts[place]!, ends[place]!)
    const stem = lexicon.stem(word)
    words[place] = word
    stems[place] = stem
    if (lexicon.flags(word) & isMatter && seen.add(stem)) matter.push(stem)
  }
  const sentences = new Int32Array(begins.length + 1)
  sentences.set(begins)
  sentences[begins.length] = count
  const names = namesIn(words, scanned, lexicon)
  return { words, stems, sentences, matter: new Int32Array(matter), names }
}

function namesIn(
  words: Int32Array,
  { starts, ends, breaks, sentences: begins, quoted }: Scan,
  lexicon: Lexicon,
): readonly Name[] {
  const names: Name[] = []
  let sentence = 0
  for (let place = 0; place < words.length; ) {
    while (sentence + 1 < begins.length && begins[sentence + 1]! <= place) sentence++
    if ((lexicon.flags(words[place]!) & isCapitalized) === 0) {
      place++
      continue
    }
    const end = endOfRun(place)
    // "The" is no name, wherever it stands.
    let start = place
    while (start < end && lexicon.flags(words[start]!) & isStopWord) start++
    // Nor is a single letter; and a capital at the beginning of a sentence says nothing.
    const says =
      end - start === 1
        ? ends[start]! - starts[start]! > 1 && (start !== begins[sentence] || isKnownElsewhere(start))
        : start < end
    if (says) names.push({ start, end, sentence, phrase: lexicon.phrase(words, start, end) })
    place = end
  }
  return quoted.length === 0 ? names : withQuoted(names)

  /** The word after the last capitalised word of the run that begins here. */
  function endOfRun(start: number): number {
    let end = start + 1
    let joined = 0
    for (let place = start + 1; place < words.length && place - start < longestName + mostJoining; place++) {
      if (breaks[place]) break
      if (lexicon.flags(words[place]!) & (isCapitalized | isNumber)) {
        end = place + 1
        joined = 0
      } else if (joined < mostJoining && joining.has(lexicon.text(words[place]!))) joined++
      else break
    }
    return end
  }

  /** Whether the word stands with a capital inside of a sentence. */
  function isKnownElsewhere(at: number): boolean {
    const word = words[at]!
    for (let place = words.indexOf(word); place !== -1; place = words.indexOf(word, place + 1))
      if (!begins.includes(place)) return true
    return false
  }

  /** What stands in quotes is one name, whatever names stand in it. */
  function withQuoted(others: readonly Name[]): Name[] {
    const found: Name[] = []
    for (const [start, end] of quoted) {
      if (!(lexicon.flags(words[start]!) & (isCapitalized | isNumber))) continue
      let last = 0
      while (last + 1 < begins.length && begins[last + 1]! <= start) last++
      found.push({ start, end, sentence: last, phrase: lexicon.phrase(words, start, end) })
    }
    const outside = others.filter(
      (name) => !found.some(({ start, end }) => name.start >= start && name.end <= end),
    )
    return [...outside, ...found].sort((a, b) => a.start - b.start || a.end - b.end)
  }
}

/** The words of a stretch of a text, with a space between. */
export function phraseOf(words: Int32Array, start: number, end: number, lexicon: Lexicon): string {
  let phrase = ''
  for (let place = start; place < end; place++)
    phrase += (phrase === '' ? '' : ' ') + lexicon.text(words[place]!)
  return phrase
}
