/** Prepares a text for the search: limits the number of words, and removes broken characters. */

// Analyzers make one token of a run of letters and digits, and one of each character in scripts without spaces.
const word =
  /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]|[\p{L}\p{N}\p{M}]+/gu

// Analyzers treat a joiner as part of the word before it.
const idleJoiner = /\u200d(?![\p{L}\p{M}\p{Extended_Pictographic}])/gu

/**
 * The first `maxWords` words of the text. Engines refuse a query of more than about a thousand clauses, and each word is one.
 * Removes joiners that join nothing, and replaces halves of surrogate pairs: with either, a search silently finds nothing.
 */
export function searchedText(text: string, maxWords: number): string {
  return wellFormed(cut(text, maxWords)).replace(idleJoiner, '')
}

/** Replaces each half of a surrogate pair with U+FFFD. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd')
}

function cut(text: string, maxWords: number): string {
  if (text.length <= maxWords) return text
  let count = 0
  for (const { 0: found, index } of text.matchAll(word)) {
    if (++count === maxWords) return text.slice(0, index + found.length)
  }
  return text
}
