/** Queries and sub-questions as models write them: a line each, among headings, labels and remarks. */
import { explains, isOpener, isRemark, linesOf, wordsOf } from './lines.ts'

/** The maximum number of words of a query; the rest is cut. */
const longestQuery = 100

/** The line with single blanks, cut to 100 words. */
export const asQuery = (line: string): string => line.trim().split(/\s+/).slice(0, longestQuery).join(' ')

/** What stands in the examples of prompts, and is no query. */
const examples: ReadonlySet<string> = new Set([
  'text',
  'first %% second',
  'the query',
  'your query',
  'a query that finds it',
  'mayor of Lyon in 1944',
])
const nothing =
  /^(?:\d{0,2}|none|nothing|null|n\/a|unknown|empty|(?:none|no|nothing)\b.* (?:needed|necessary|required))$/

/** Whether a model has copied the example of its prompt. */
const isExample = (query: string): boolean => examples.has(query.trim())

/** Whether it has, or says that there is no query. */
export const isNoQuery = (query: string): boolean =>
  isExample(query) || nothing.test(wordsOf(query)) || /^[[{].*[\]}]$/.test(query)

const quotes: ReadonlySet<string> = new Set('`\'"“”‘’<> ')

/** The query without the quotation marks around it. */
export function withoutQuotes(query: string): string {
  let [start, end] = [0, query.length]
  while (start < end && quotes.has(query[start]!)) start++
  while (start < end && quotes.has(query[end - 1]!)) end--
  return query.slice(start, end)
}

/** Whether a text ends as statements do. */
export const isSentence = (text: string): boolean => /[.!]["”)]?$/.test(text)
const asks = /^(?:find|identify|determine|search|look|list|name|get|check|compare|give|show|tell|locate)\b/i

/** Without what is said around them. Among questions, a first or last line that is a sentence and asks for nothing is such. */
function withoutRemarks(lines: readonly string[]): string[] {
  const own = lines.filter((line) => !isRemark(line))
  if (!own.some((line) => line.endsWith('?'))) return own
  const isEdge = (place: number): boolean => place === 0 || place === own.length - 1
  return own.filter(
    (line, place) =>
      line.endsWith('?') || !isEdge(place) || !(isSentence(line) || isOpener(line)) || asks.test(line),
  )
}

/**
 * The queries of a completion. Where several lines have marks, or some have a label, the others are words around them.
 *
 * @example queryLines('Here they are:\n1. **Who wrote it?**\n2. When?') // ['Who wrote it?', 'When?']
 */
export function queryLines(completion: string): string[] {
  const lines = linesOf(completion).filter((line) => !explains(line) && !isNoQuery(line.text))
  const listed = lines.filter(({ isListed }) => isListed)
  const named = lines.filter(
    ({ label, text }) => /^(?:query|question|search|step)/.test(label) && text !== '',
  )
  const meant = listed.length > 1 ? listed : named.length > 0 ? named : lines
  return withoutRemarks(meant.map(({ text }) => asQuery(text)))
}

/** The queries of a text that `%%` separates. */
export const separated = (text: string): string[] =>
  text
    .split('%%')
    .map((part) => part.trim())
    .filter((part) => part !== '')

/** The sub-queries of each JSON that has a key for them, at any depth, in a string or in a list. None are those of an example. */
export function queriesIn(json: readonly unknown[]): string[][] {
  const of = (value: unknown): string[][] => {
    if (typeof value !== 'object' || value === null) return []
    return Object.entries(value).flatMap(([key, one]) => {
      const strings = [one ?? ''].flat().filter((query) => typeof query === 'string')
      const isNamed = /^(?:\w+_)?quer(?:y|ies)_?\d*$/i.test(key)
      if (!isNamed || (strings.length === 0 && !Array.isArray(one))) return of(one)
      const written = strings.flatMap(separated).map(asQuery)
      return strings.some(isExample) ? [] : [written.filter((query) => !isNoQuery(query))]
    })
  }
  return json.flatMap((value) => {
    const found = of(value)
    return found.length === 0 ? [] : [found.flat()]
  })
}
