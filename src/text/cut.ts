/** The first characters of a text, without half a character at the end. */
export const cut = (text: string, maxCharacters: number): string =>
  text.length > maxCharacters ? text.slice(0, maxCharacters).replace(/[\uD800-\uDBFF]$/, '') : text
