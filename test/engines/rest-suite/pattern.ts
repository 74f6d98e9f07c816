/** The suite's regular expressions are Java's, and those of texts are written with blanks and comments between. */

/** The expression of a text `/…/`; undefined for any other text. */
export function patternIn(text: string, options: { readonly isSpaced: boolean }): RegExp | undefined {
  const trimmed = text.trim()
  if (trimmed.length <= 2 || !trimmed.startsWith('/') || !trimmed.endsWith('/')) return undefined
  const inner = trimmed.slice(1, -1)
  const source = (options.isSpaced ? withoutSpaces(inner) : inner)
    // In Java `$` is also before a line's end that is the last character.
    .replace(/(?<!\\)\$/g, '(?=\\n?$)')
    // Quantifiers that give nothing back are only faster.
    .replace(/(?<=[^\\][*+?}])\+/g, '')
  return new RegExp(source)
}

/** Escaped blanks mean themselves. */
const withoutSpaces = (source: string): string =>
  source.replace(/\\[\s\S]|\s+|#.*/g, (part) => (part.startsWith('\\') ? part : ''))

/** A value as Java prints it: that is what the expressions for errors are written for. */
export function printed(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(printed).join(', ')}]`
  if (typeof value !== 'object' || value === null || 'isLosslessNumber' in value) return String(value)
  const pairs = Object.entries(value).map(([key, inner]) => `${key}=${printed(inner)}`)
  return `{${pairs.join(', ')}}`
}
