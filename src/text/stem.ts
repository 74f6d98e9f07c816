import stem from 'wink-nlp-utils/src/string-stem.js'

const accents = /[\u0300-\u036f]/g

/** A word in lower case and without accents. */
export const lowered = (word: string): string =>
  word.toLowerCase().normalize('NFKD').replace(accents, '').normalize('NFC')

/** The stem (Porter 2) of a lowered English word. Words with digits or other letters, or of no language, stay as they are. */
export function stemOf(lower: string): string {
  // The stemmer keeps a mark for itself, the digit 3: it would turn 1983 into 198i.
  // The time it takes grows with the square of a word's length.
  return /^[a-z]{1,60}$/.test(lower) ? stem(lower) : lower
}
