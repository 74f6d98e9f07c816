/** What the model of a round writes: an answer with the numbers of its documents, or queries with the numbers of what it keeps. */
import { documentNumbers } from '../../src/completion/document-numbers.ts'
import { finalAnswer } from '../../src/completion/final-answer.ts'
import { isUnknown } from '../../src/completion/is-unknown.ts'
import { openMark, withMarks } from '../../src/completion/marks.ts'
import { queryLines } from '../../src/completion/query-lines.ts'
import { sectionsOf } from '../../src/completion/sections.ts'
import { unusable } from '../reading/agent-prompt.ts'
import { longest, placeholder } from '../reading/answer-prompt.ts'

export interface Said {
  /** Marks such as `[1]` are places in `documents`. Absent: there is none, or the documents do not tell it. */
  readonly answer?: string
  /** What the answer needs, or what is kept: numbers from 1, each once. */
  readonly documents: readonly number[]
  readonly queries: readonly string[]
}

export interface RoundFormat {
  /** The form of an answer. `none`: none is wanted, only documents. */
  readonly form: 'short' | 'long' | 'auto' | 'none'
  /** Whether "unknown" is an answer like any other, and nothing may stand beside the format, as in training. */
  readonly strict: boolean
}

/** The maximum number of queries that a prompt asks for; further ones are left out. */
export const maxQueries = 3

/** An answer with so many words is one in sentences, where both forms are allowed. */
const longWords = 12

const strictLine = /^(?:Answer: \S.*|Search: \S.*|Documents: (?:none|\d+(?:, ?\d+)*))$/

/**
 * @param count how many documents the model has seen: numbers of others are left out
 * @param isLast whether nothing is searched any more, so that queries are no use
 * @throws QuerentError `bad-completion` that says what is wrong
 */
export function parseRound(
  text: string,
  { count, isLast, form, strict }: RoundFormat & { readonly count: number; readonly isLast: boolean },
): Said {
  const lines = text.trim().split('\n')
  if (strict && !lines.every((line) => strictLine.test(line)))
    throw unusable('There is more or less in it than the format')
  const { none, answer, search, document } = sectionsOf(text)
  const queries = queryLines(search).slice(0, maxQueries)
  // An answer without its label.
  const isBare =
    answer.trim() === '' && queries.length === 0 && (document !== '' || isUnknown(finalAnswer(none)))
  const written = isBare ? none : answer
  const [paragraph = ''] = written.trim().split(/\n\s*\n/)
  const isLong = form === 'long' || (form === 'auto' && paragraph.split(/\s+/).length >= longWords)
  const { placed, marked } = withPlaces(written, count)
  const said = finalAnswer(placed, isLong)
  const listed = document === '' ? [] : (documentNumbers(document) ?? [])
  const documents = [...new Set([...marked, ...listed])].filter((number) => number >= 1 && number <= count)

  if (said.length > longest.long) throw unusable('It is too long for an answer')
  if (placeholder.test(said)) throw unusable('Its answer is that of the format')
  if (form !== 'none' && said !== '' && (strict || !isUnknown(said)))
    return { answer: said, documents, queries: [] }
  if (queries.length > 0 && !isLast) return { documents, queries }
  if (said === '' && (form !== 'none' || document === ''))
    throw unusable(isLast ? 'There is no answer in it' : 'There is neither an answer nor a query in it')
  return { documents, queries: [] }
}

/** The answer whose marks are places in the list of documents that it marks, in their order. */
function withPlaces(answer: string, count: number) {
  const marked = new Set<number>()
  const placed = withMarks(answer, count, (number) => [...marked.add(number)].indexOf(number) + 1)
  return { placed, marked }
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
  const written = rest.slice(0, end === -1 ? (isHeld ? line : rest.length) : end).replaceAll('*', '')
  if ('unknown'.startsWith(written.trim().toLowerCase().slice(0, 'unknown'.length))) return ''
  // A mark that is not complete waits.
  return withPlaces(written.replace(openMark, ''), count).placed
}
