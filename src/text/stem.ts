import stem from 'wink-nlp-utils/src/string-stem.js'

const accents = /[\u0300-\u036f]/g

/** A word in lower case and without accents. */
export const lowered = (word: string): string =>
  word.toLowerCase().normalize('NFKD').replace(accents, '').normalize('NFC')

/** Longer words are sequences, not English, and the stemmer takes time that grows with the square of their length. */
const maxStemmedLength = 60

/** The Porter 2 stem of an English word in lower case. Words with digits or letters other than a to z are returned unchanged. */
export function stemOf(word: string, maxLength: number = maxStemmedLength): string {
  // The stemmer uses the digit 3 as a mark of its own: it would turn 1983 into 198i.
  return word.length <= maxLength && /^[a-z]+$/.test(word) ? stem(word) : word
}
