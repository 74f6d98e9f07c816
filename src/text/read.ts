/** Texts as the candidates and the features read them: words as numbers, sentences, names. */
import { isCapitalized, isNumber, isStopWord, type Lexicon } from './lexicon.ts'
import { scan } from './scan.ts'

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

export function readText(text: string, lexicon: Lexicon): ReadText {
  const { words: texts, breaks, sentences: starts, quoted } = scan(text)
  const words = new Int32Array(texts.length)
  const stems = new Int32Array(texts.length)
  const matter: number[] = []
  const seen = new Set<number>()
  for (let place = 0; place < texts.length; place++) {
    const word = lexicon.word(texts[place]!)
    const stem = lexicon.stem(word)
    words[place] = word
    stems[place] = stem
    if (lexicon.weight(stem) > 0 && !seen.has(stem)) {
      seen.add(stem)
      matter.push(stem)
    }
  }
  const sentences = Int32Array.from([...starts, texts.length])
  return { words, stems, sentences, matter: Int32Array.from(matter), names: namesOf() }

  function namesOf(): Name[] {
    const names: Name[] = []
    let sentence = 0
    for (let place = 0; place < words.length; ) {
      while (sentence + 1 < starts.length && starts[sentence + 1]! <= place) sentence++
      const flags = lexicon.flags(words[place]!)
      if ((flags & isCapitalized) === 0) {
        place++
        continue
      }
      const end = endOfRun(place)
      // A capital at the beginning of a sentence says nothing; and "The" is no name, wherever it stands.
      let start = place
      while (start < end && lexicon.flags(words[start]!) & isStopWord) start++
      const isAlone = end - start === 1
      const says = isAlone && start === starts[sentence] ? isKnownElsewhere(start) : start < end
      if (says && (!isAlone || texts[start]!.length > 1))
        names.push({ start, end, sentence, phrase: lexicon.phrase(words, start, end) })
      place = end
    }
    for (const [start, end] of quoted) {
      if (!(lexicon.flags(words[start]!) & (isCapitalized | isNumber))) continue
      for (let index = names.length - 1; index >= 0; index--)
        if (names[index]!.start >= start && names[index]!.end <= end) names.splice(index, 1)
      names.push({ start, end, sentence: sentenceAt(start), phrase: lexicon.phrase(words, start, end) })
    }
    return names.sort((a, b) => a.start - b.start || a.end - b.end)
  }

  /** The word after the last capitalised word of the run that begins here. */
  function endOfRun(start: number): number {
    let end = start + 1
    let joined = 0
    for (let place = start + 1; place < words.length && place - start < longestName + mostJoining; place++) {
      if (breaks[place]) break
      const flags = lexicon.flags(words[place]!)
      if (flags & (isCapitalized | isNumber)) {
        end = place + 1
        joined = 0
      } else if (joining.has(texts[place]!) && joined < mostJoining) joined++
      else break
    }
    return end
  }

  /** Whether the word stands with a capital inside of another sentence. */
  function isKnownElsewhere(at: number): boolean {
    const word = words[at]!
    for (let place = 0; place < words.length; place++)
      if (words[place] === word && place !== at && !starts.includes(place)) return true
    return false
  }

  function sentenceAt(place: number): number {
    let sentence = 0
    while (sentence + 1 < starts.length && starts[sentence + 1]! <= place) sentence++
    return sentence
  }
}

/** The words of a stretch of a text, with a space between. */
export function phraseOf(words: Int32Array, start: number, end: number, lexicon: Lexicon): string {
  let phrase = ''
  for (let place = start; place < end; place++)
    phrase += (phrase === '' ? '' : ' ') + lexicon.text(words[place]!)
  return phrase
}
