/** Queries and sub-questions as models write them: a line each, among headings, fences, labels and the marks of lists. */

/** The maximum number of words of a query; the rest is cut. */
const longestQuery = 100

/** The line with single blanks, cut to 100 words. */
export const asQuery = (line: string): string => line.trim().split(/\s+/).slice(0, longestQuery).join(' ')

/** What stands in the examples of prompts, and is no query. */
const examples: ReadonlySet<string> = new Set([
  'text',
  'the query',
  'a query that finds it',
  'mayor of Lyon in 1944',
])

/** Whether a model has copied the example of its prompt. */
export const isExample = (query: string): boolean => examples.has(query.trim())

const bullet = String.raw`[-*+–—>]\s+|[•◦▪●·]\s*|\[[ x]?\]\s+`
const number = String.raw`[[(]?\d{1,2}[.:)\]](?:\s+|$)|\(?[a-h]\)\s+`
const label = String.raw`(?:Q\d{1,2}\s?[:.)-]|Q:|(?:sub-?\s?)?(?:question|query|search|step)s?\s?(?:#?\d{1,2}\s?[:.)–-]|:))(?:\s+|$)`
/** Marks of a list and labels: "- ", "2.", "(2)", "Q2:", "Sub-question 2:", "Query:". */
const marks = new RegExp(`^(?:${bullet}|${number}|${label})+`, 'i')

const quotes: ReadonlySet<string> = new Set('`\'"“”‘’ ')

/** The query without the quotation marks around it. */
export function withoutQuotes(query: string): string {
  let [start, end] = [0, query.length]
  while (start < end && quotes.has(query[start]!)) start++
  while (start < end && quotes.has(query[end - 1]!)) end--
  return query.slice(start, end)
}

/** The text of a line, without emphasis, mark and quotation marks, and whether it has a mark. */
function readLine(line: string): { readonly text: string; readonly isMarked: boolean } {
  // Of a row of a table, the longest cell is meant.
  const cells = line.startsWith('|') ? line.split('|') : [line]
  const cell = cells.reduce((longest, other) => (other.length > longest.length ? other : longest))
  const plain = cell.replaceAll('**', '').trim()
  const text = plain.replace(marks, '')
  return { text: text.replace(/^["'`_“‘]([^"`“”‘’]*)["'`_”’],?$/, '$1'), isMarked: text !== plain }
}

/** Not headings, not what stands above a table, and not lines without a word: fences, rules. */
const isQuery = (line: string, next = ''): boolean =>
  /[\p{L}\p{N}]/u.test(line) && !/^(?:#|```|~~~)/.test(line) && !/^\|[\s|:-]+$/.test(next)

/** The strings of JSON, at any depth. */
const stringsIn = (value: unknown): string[] =>
  typeof value === 'string' ? [value] : Object.values(value ?? {}).flatMap(stringsIn)

function linesOf(text: string): string[] {
  const lines = text.split(/\r\n|[\n\r\u2028\u2029]/).map((line) => line.trim())
  const body = lines.filter((line) => !line.startsWith('```')).join('\n')
  try {
    if (/^\s*[[{]/.test(body)) return stringsIn(JSON.parse(body))
  } catch {
    // Brackets of another kind.
  }
  return lines.filter((line, place) => isQuery(line, lines[place + 1]))
}

/**
 * The queries of a completion. Where several lines have marks, the others are words around the list.
 *
 * @example queryLines('Here they are:\n1. **Who wrote it?**\n2. When?') // ['Who wrote it?', 'When?']
 */
export function queryLines(completion: string): string[] {
  const lines = linesOf(completion).map(readLine)
  const marked = lines.filter(({ isMarked }) => isMarked)
  return (marked.length > 1 ? marked : lines)
    .map(({ text }) => asQuery(text))
    .filter((query) => query !== '' && !/[:：]$/.test(query))
}
