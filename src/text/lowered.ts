const accents = /[\u0300-\u036f]/g

/** Converts a word to lower case and removes accents. */
export function lowered(word: string): string {
  const lower = word.toLowerCase()
  return isAscii.test(lower) ? lower : lower.normalize('NFKD').replace(accents, '').normalize('NFC')
}

/** Such a text has no accents, and one normal form. */
const isAscii = /^[\t\n\r -~]*$/
