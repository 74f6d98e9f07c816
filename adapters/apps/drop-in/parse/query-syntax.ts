/** Text in Lucene's syntax: `query_string`, `simple_query_string` and the parameter `q`. */
import type { Path } from './json.ts'

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
