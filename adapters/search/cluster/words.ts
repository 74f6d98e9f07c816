/** What of a text is searched: no more words than engines take, and no half characters. */

// Analyzers make one token of a run of letters and digits, and of each character in scripts without spaces.
const word =
  /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]|[\p{L}\p{N}\p{M}]+/gu

// Analyzers take a joiner for a part of the word before it.
const idleJoiner = /\u200d(?![\p{L}\p{M}\p{Extended_Pictographic}])/gu

/**
 * The text up to its `most`-th word: engines refuse a query of more than about a thousand clauses, and each word is one. Without
 * joiners that join nothing, and without halves of surrogate pairs: a text with one of either finds nothing, in silence.
 */
export function searchedText(text: string, most: number): string {
  return wellFormed(cut(text, most)).replace(idleJoiner, '')
}

/** The text with U+FFFD for each half of a surrogate pair. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd')
}

function cut(text: string, most: number): string {
  if (text.length <= most) return text
  let count = 0
  for (const { 0: found, index } of text.matchAll(word)) {
    if (++count === most) return text.slice(0, index + found.length)
  }
  return text
}
