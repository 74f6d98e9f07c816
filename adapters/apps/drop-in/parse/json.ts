/** Helpers for what the caller wrote. Values that Querent does not read stay unchanged, including numbers of any length. */

export type JsonObject = { readonly [key: string]: unknown }

/** The path to a value: keys and positions, outermost first. */
export type Path = readonly (string | number)[]

/** Whether a value is a plain object: not a list, and not a number object of a lossless parser. */
export function isObject(value: unknown): value is JsonObject {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** Reads a number, or the number object of a lossless parser. Undefined for any other value. */
export function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value
  if (typeof value !== 'object' || value === null || isObject(value) || Array.isArray(value)) return undefined
  const read = Number(String(value))
  return Number.isNaN(read) ? undefined : read
}

/** The value at `path`. Undefined if the path does not exist. */
export const valueAt = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>(
    (inner, key) => (isObject(inner) || Array.isArray(inner) ? (inner as JsonObject)[key] : undefined),
    value,
  )

/** A copy of the value with `put` at `path`. Only the objects along the path are copied. */
export function withValue(value: unknown, path: Path, put: unknown): unknown {
  const [first, ...rest] = path
  if (first === undefined) return put
  if (Array.isArray(value))
    return value.map((item, place) => (place === first ? withValue(item, rest, put) : item))
  const object = value as JsonObject
  return { ...object, [first]: withValue(object[first], rest, put) }
}

/** The object without these keys. */
export function without(object: JsonObject, ...keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)))
}

/** The object with only these keys. */
export function only(object: JsonObject, ...keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([key]) => keys.includes(key)))
}

/** Wraps a single value in a list. A list stays unchanged. */
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value])

/** A value as one string, for keys. Numbers of any length are told apart by their digits. */
export const keyText = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'bigint' ? String(inner) : inner))

/** The names in a text. */
export const namesIn = (text: string): readonly string[] => text.trim().split(/\s+/)

export const quoted = (text: unknown): string =>
  `\`${String(text)
    .replace(/[`\s]+/g, ' ')
    .slice(0, 60)}\``

export function matches(pattern: string, name: string): boolean {
  const [first = '', ...parts] = pattern.split('*')
  if (!name.startsWith(first)) return false
  const last = parts.pop()
  if (last === undefined) return name === first
  let at = first.length
  for (const part of parts) {
    const found = name.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  return name.length - last.length >= at && name.endsWith(last)
}

/** Operators, by clause. A hyphen within a word is part of the word. */
const operators: ReadonlyMap<string, RegExp> = new Map([
  ['simple_query_string', /[+|"*()~\\]|(?<![\p{L}\p{N}])-/u],
  ['query_string', /[+|"*()~\\!?:/^=<>{}[\]]|&&|(?<![\p{L}\p{N}])-|\b(?:AND|OR|NOT)\b/u],
])

/** Whether a text has operators of this clause, or characters that may be operators. */
export const hasOperators = (text: string, clause: string): boolean =>
  operators.get(clause)?.test(withoutParentheses(text)) === true

/** Parentheses around a whole text, as some applications write it, group nothing. */
const withoutParentheses = (text: string): string => (/^\(.*\)$/s.test(text) ? text.slice(1, -1) : text)

/** A text as plain words, without the operators of any clause. */
export const withoutOperators = (text: string): string =>
  text
    .replace(/[^\p{L}\p{M}\p{N}'’]+/gu, ' ')
    .replace(/\b(?:AND|OR|NOT)\b/g, (word) => word.toLowerCase())
    .trim()

/** Whether the engine reads the string at a path as Lucene's syntax. */
export const isSyntax = (path: Path): boolean => path.at(-1) === 'query' && operators.has(String(path.at(-2)))
