/** Text in Lucene's syntax: `query_string`, `simple_query_string` and the parameter `q`. */
import type { Path } from '../json.ts'

/** What is no word, by the clause. A hyphen within a word is a part of it. */
const operators: ReadonlyMap<string, RegExp> = new Map([
  ['simple_query_string', /[+|"*()~\\]|(?<![\p{L}\p{N}])-/u],
  ['query_string', /[+|"*()~\\!?:/^=<>{}[\]]|&&|(?<![\p{L}\p{N}])-|\b(?:AND|OR|NOT)\b/u],
])

/** Whether a text has operators in this clause, or anything that may be one. */
export const hasOperators = (text: string, clause: string): boolean =>
  operators.get(clause)?.test(text) === true

/** A text as words alone, whoever wrote it: without anything that is an operator in any clause. */
export const withoutOperators = (text: string): string =>
  text
    .replace(/[^\p{L}\p{M}\p{N}'’]+/gu, ' ')
    .replace(/\b(?:AND|OR|NOT)\b/g, (word) => word.toLowerCase())
    .trim()

/** Whether what stands at a path is read as Lucene's syntax. */
export const isSyntax = (path: Path): boolean => path.at(-1) === 'query' && operators.has(String(path.at(-2)))
