/** What the model of a round writes: an answer with the numbers of its documents, or queries with the numbers of what it keeps. */
import { limited } from '../../src/prompt.ts'
import { unusable } from '../reading/agent-prompt.ts'
import { asQuery, withoutQuotes } from '../reading/query-lines.ts'

export interface Said {
  /** Marks such as `[1]` are places in `documents`. Absent: there is none, or the documents do not tell it. */
  readonly answer?: string
  /** What the answer needs, or what is kept: numbers from 1, each once. */
  readonly documents: readonly number[]
  readonly queries: readonly string[]
}

interface Limits {
  /** `none`: no answer is wanted. */
  readonly form: 'short' | 'long' | 'auto' | 'none'
  readonly strict: boolean
  readonly isLast: boolean
}

/** The maximum number of queries that a prompt asks for; further ones are left out. */
export const maxQueries = 3

/** The maximum length of an answer in characters. A longer text is not an answer. */
const longestAnswer = 8000

const label = /^(?:final\s+)?(answer|documents|search|query)(?:\s*#?\d{1,2})?\s*:\s*(.*)$/i
const strictLine = /^(?:Answer: \S.*|Search: \S.*|Documents: (?:none|\d+(?:, ?\d+)*))$/
/** What stands in the prompt in place of an answer and a query. */
const placeholders: ReadonlySet<string> = new Set(['the answer', 'a query', '…', '...'])

/**
 * @param count how many documents the model has seen: numbers of others are left out
 * @throws QuerentError `bad-completion` that says what is wrong
 */
export function parseRound(text: string, count: number, limits: Limits): Said {
  const { form, strict, isLast } = limits
  const lines = linesOf(limited(text), strict)
  const parts = { answer: [] as string[], documents: [] as string[], search: [] as string[] }
  const others: string[] = []
  let open: string[] | undefined
  for (const line of lines) {
    const [, name, rest = ''] = label.exec(line) ?? []
    if (name !== undefined) {
      const key = name.toLowerCase()
      open = key === 'answer' || key === 'documents' ? parts[key] : parts.search
      if (rest !== '') open.push(rest)
    } else if (open === parts.answer || open === parts.search) {
      // A paragraph ends an answer, and a list of queries.
      if (line === '') open = open.length === 0 ? open : undefined
      else open.push(line)
    } else others.push(line)
  }
  // An answer without its label.
  const [paragraph = ''] = others
    .join('\n')
    .trim()
    .split(/\n\s*\n/)
  if (parts.answer.length === 0 && parts.search.length === 0 && !strict)
    if (parts.documents.length > 0 || isUnknown(paragraph)) parts.answer.push(paragraph)
  const queries = isLast ? [] : parts.search.map(queryOf).filter((query) => query !== '')
  const listed = parts.documents.flatMap((line) =>
    Array.from(line.matchAll(/\d+/g), ([found]) => Number(found)),
  )
  const { answer, marked } = withPlaces(parts.answer.join('\n').trim(), count)
  const documents = [...new Set([...marked, ...listed])].filter((number) => number >= 1 && number <= count)
  const isAnswer = form !== 'none' && answer !== '' && (strict || !isUnknown(answer))

  if (answer.length > longestAnswer) throw unusable('It is too long for an answer')
  if (placeholders.has(answer)) throw unusable('Its answer is that of the format')
  if (isAnswer) return { answer, documents, queries: [] }
  const isOver = answer !== '' || (form === 'none' && parts.documents.length > 0)
  if (queries.length === 0 && !isOver)
    throw unusable(isLast ? 'There is no answer in it' : 'There is neither an answer nor a query in it')
  return { documents, queries: queries.slice(0, maxQueries) }
}

/** The lines without fences, emphasis and marks of lists. */
function linesOf(text: string, strict: boolean): string[] {
  const lines = text.split(/\r\n|[\n\r\u2028\u2029]/)
  if (strict) {
    const wrong = text
      .trim()
      .split('\n')
      .find((line) => !strictLine.test(line))
    if (wrong !== undefined) throw unusable('There is more or less in it than the format')
    return lines
  }
  return lines
    .filter((line) => !/^\s*(?:```|~~~)/.test(line))
    .map((line) =>
      line
        .replaceAll('*', '')
        .replace(/^\s*(?:[-•>]\s+|\d{1,2}[.)]\s+)?/, '')
        .trim(),
    )
}

function queryOf(line: string): string {
  const query = withoutQuotes(asQuery(line))
  return placeholders.has(query) || isUnknown(query) ? '' : query
}

/** The usual ways to say that the documents do not tell. */
const isUnknown = (text: string): boolean =>
  /^\W*(?:(?:the answer is )?unknown\b|none\W*$|n\/a\W*$|not (?:stated|known|given|mentioned|specified)\b|the documents? (?:do|does) not\b)/i.test(
    text,
  )

/** The answer whose marks are places in the list of documents that it marks, in their order. */
function withPlaces(
  answer: string,
  count: number,
): { readonly answer: string; readonly marked: readonly number[] } {
  const marked: number[] = []
  const placed = answer.replace(
    /( ?)\[\s*(\d+(?:\s*[,;]\s*\d+)*)\s*\]/g,
    (_, blank: string, list: string) => {
      const numbers = list.split(/[,;]/).map(Number)
      const known = numbers.filter((number) => number >= 1 && number <= count)
      for (const number of known) if (!marked.includes(number)) marked.push(number)
      return known.length === 0
        ? ''
        : blank + known.map((number) => `[${marked.indexOf(number) + 1}]`).join(' ')
    },
  )
  return { answer: placed.trim(), marked }
}

const begins = /^[\s*#>-]*(?:final\s+)?answer\s*\**\s*:\s*\**\s*/i
const ends = /\n\s*\n|\n[\s*#>-]*(?:documents|search|query)\b/i
/** A line that is shorter may become a label. */
const labelLength = 16

/** The answer in a text that is being written; empty while it may become another kind of text. */
export function answerSoFar(text: string, count: number): string {
  const begin = begins.exec(text)
  if (begin === null) return ''
  const rest = text.slice(begin[0].length)
  const end = rest.search(ends)
  const line = rest.lastIndexOf('\n')
  const isHeld = line !== -1 && rest.length - line < labelLength
  const said = rest.slice(0, end === -1 ? (isHeld ? line : rest.length) : end).replaceAll('*', '')
  if ('unknown'.startsWith(said.trim().toLowerCase().slice(0, 'unknown'.length))) return ''
  // A mark that is not complete waits.
  return withPlaces(said.replace(/ ?\[[\d,;\s]*$/, ''), count).answer
}
