/** Turns text into tokens, the same for documents and queries: Lucene's `EnglishAnalyzer`, extended to other languages. */
import { searchStopWords } from './english.ts'
import { maxStemmedLength, stemOf } from './stem.ts'

export interface AnalyzeOptions {
  /** Whether to stem words, in English by Porter 2. Default: true. */
  readonly stem?: boolean
  /**
   * Words that are not indexed: those of the language (true, the default; in English 42 words), none (false), or your own
   * list.
   */
  readonly stopWords?: boolean | readonly string[]
}

/** The maximum length of a token in code units, as in Lucene. Longer tokens, mostly encoded data, are truncated. */
const maxTokenLength = 255

/** Size of the cache of stems. Word frequencies follow Zipf's law, so it covers nearly all words of a text. */
const cachedStems = 100_000

// Accents, variation selectors and enclosing marks are removed. The vowel signs of other scripts are marks too, but are kept.
const accents = /[\u0300-\u036f\u20d0-\u20ff\ufe00-\ufe0f]/g
const possessives = /['\u2019]s(?![\p{L}\p{N}])/gu
const thousandsCommas = /(?<=\d),(?=\d{3}(?!\d))/g
const onlyLetters = /^[\p{L}\p{M}]+$/u
const words = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu
// Scripts without spaces between words, and Hangul, whose words carry their particles.
const unspaced =
  '\\p{scx=Han}\\p{scx=Hang}\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Thai}\\p{scx=Laoo}\\p{scx=Khmr}\\p{scx=Mymr}'
const isUnspaced = new RegExp(`[${unspaced}]`, 'u')
const unspacedRuns = new RegExp(`[${unspaced}]+|[^${unspaced}]+`, 'gu')

/**
 * Returns a function from a text to its tokens, in order: runs of letters and digits of any script, in lower case, without
 * accents and possessive `'s`. Hyphens split words, commas between thousands are removed (`1,000` becomes `1000`), and
 * numbers are never stemmed. In scripts without spaces (Chinese, Japanese, Thai …), and in Korean, where words end in
 * particles, every character and every pair of neighboring characters is a token. All other characters (punctuation,
 * symbols, emoji) separate tokens and cannot be searched.
 *
 * @param stemmer stems words of another language than English. It gets them with their accents, which the stem then loses
 */
export function analyzer(
  { stem: stemming = true, stopWords = true }: AnalyzeOptions = {},
  stemmer?: (word: string) => string,
): (text: string) => string[] {
  const prepared = stemmer === undefined ? normalized : lowered
  const stopped = new Set(stopWordList(stopWords).map((word) => prepared(word)))
  const stems = new Map<string, string>()

  function stem(word: string): string {
    if (stemmer === undefined) return stemming ? stemOf(word, maxTokenLength) : word
    return folded(
      stemming && word.length <= maxStemmedLength && onlyLetters.test(word) ? stemmer(word) : word,
    )
  }

  function cachedStem(word: string): string {
    const cached = stems.get(word)
    if (cached !== undefined) return cached
    if (stems.size >= cachedStems) stems.clear()
    const made = stem(word)
    stems.set(word, made)
    return made
  }

  return function analyze(text) {
    const tokens: string[] = []
    for (const word of prepared(text).match(words) ?? []) {
      // Not all at once: a call takes only so many arguments.
      if (isUnspaced.test(word))
        for (const run of word.match(unspacedRuns) ?? []) for (const gram of grams(run)) tokens.push(gram)
      else if (!stopped.has(word)) {
        const token = word.slice(0, maxTokenLength)
        tokens.push(cachedStem(token))
      }
    }
    return tokens
  }
}

/** Resolves the option to a list of stop words. `own` are those of the language. */
export function stopWordList(
  stopWords: boolean | readonly string[],
  own: readonly string[] = searchStopWords,
): readonly string[] {
  if (typeof stopWords === 'boolean') return stopWords ? own : []
  return stopWords
}

const folded = (text: string): string => text.normalize('NFKD').replace(accents, '').normalize('NFC')

const joined = (text: string): string => text.replace(possessives, '').replace(thousandsCommas, '')

const normalized = (text: string): string => joined(folded(text.toLowerCase()))

/** The same with accents. */
const lowered = (text: string): string => joined(text.toLowerCase().normalize('NFKC'))

/** The characters and the neighboring pairs of a run in a script without spaces; any other run is one token. */
function grams(run: string): string[] {
  if (!isUnspaced.test(run)) return [run.slice(0, maxTokenLength)]
  const characters = [...run]
  const pairs = characters.slice(1).map((character, index) => `${characters[index]}${character}`)
  return characters.concat(pairs)
}
