/** The first characters of a text, without half a character at the end. */
export const cut = (text: string, maxCharacters: number): string =>
  text.length > maxCharacters ? text.slice(0, maxCharacters).replace(/[\uD800-\uDBFF]$/, '') : text

/** A text of at most `maxCharacters`; if it was longer, the last of them is an ellipsis. */
export const shortened = (text: string, maxCharacters: number): string =>
  text.length > maxCharacters ? `${cut(text, maxCharacters - 1)}…` : text
