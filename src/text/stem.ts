import stem from 'wink-nlp-utils/src/string-stem.js'

/**
 * The maximum length of a stemmed word. Longer words are not English (gene sequences, for example), and the stemmer's time
 * is quadratic in length.
 */
export const maxStemmedLength = 60

/** The Porter 2 stem of an English word in lower case. Words with digits or letters other than a to z are returned unchanged. */
export function stemOf(word: string, maxLength: number = maxStemmedLength): string {
  // The stemmer uses the digit 3 as an internal mark: it would turn 1983 into 198i.
  return word.length <= maxLength && /^[a-z]+$/.test(word) ? stem(word) : word
}
