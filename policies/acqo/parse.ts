/**
 * ACQO's output grammar: `{"query": "first %% second"}`. The paper gives the grammar (Appendix C) but no parser. What counts as a
 * format failure is Querent's reading. A literal `%%` in a sub-query cannot be told from the separator.
 */
import { jsonIn, unfenced, wordsOf } from '../../src/completion/lines.ts'
import { queriesIn, queryLines, separated } from '../../src/completion/query-lines.ts'
import type { QuerentError } from '../../src/errors.ts'
import { limited } from '../../src/prompt.ts'
import { isObject, jsonOf } from '../../src/runtime/json.ts'
import { unusable } from '../reading/agent-prompt.ts'

/**
 * For training: accepts one JSON object with a string `query` of 1 to `limit` sub-queries, and nothing else.
 *
 * @throws QuerentError `bad-completion` that says what is wrong
 */
export function parseStrict(text: string, limit: number): string[] {
  const value = jsonOf(limited(text.trim()))
  if (!isObject(value)) throw wrong(value === undefined ? 'it is not JSON' : 'it is not an object')
  const { query } = value
  if (typeof query !== 'string') throw wrong('"query" is not a string')
  const subQueries = separated(query)
  if (subQueries.length === 0) throw wrong('"query" is empty')
  if (subQueries.length > limit) throw wrong(`it holds ${subQueries.length} queries and ${limit} is the most`)
  return subQueries
}

/**
 * For searching: the first object with a query in the prose around it, else lines that are no sentences and have a mark of a list, a label
 * or a word of the question, but never the prompt's example. Keeps the first `limit` sub-queries.
 *
 * @param asked the question and the conversation before it
 * @throws QuerentError `bad-completion` if the text contains no query
 */
export function parseLenient(text: string, limit: number, asked = ''): string[] {
  const json = jsonIn(unfenced(limited(text)))
  const isList =
    json.length === 0 || (Array.isArray(json[0]) && !json[0].some((one) => typeof one === 'object'))
  const known = new Set(wordsOf(asked).split(' '))
  const words = wordsOf(text).split(' ')
  const isMeant = isMarked.test(text) || words.some((word) => word.length > 3 && known.has(word))
  const lines = isList && isMeant ? queryLines(text).flatMap(separated) : []
  const subQueries =
    queriesIn(json).find((queries) => queries.length > 0) ??
    (lines.some((line) => isProse.test(line)) ? [] : lines)
  if (subQueries.length === 0) throw wrong('it has no query of its own')
  return subQueries.slice(0, limit)
}

/**
 * For the second look: an empty query is an answer, too, and means that no more is searched.
 *
 * @throws QuerentError `bad-completion` if the text contains no query
 */
export function parseFollowUp(text: string, limit: number): string[] {
  const written = queriesIn(jsonIn(unfenced(limited(text))))
  const isEnough = written.length > 0 && written.every((queries) => queries.length === 0)
  return isEnough ? [] : parseLenient(text, limit)
}

const wrong = (why: string): QuerentError => unusable(`Not a {"query": "…"} object: ${why}`)

/** A mark of a list, a label, quotation marks or the separator. */
const isMarked = /%%|^[ \t]*(?:["'“`*•|([-]|\d{1,2}[.)]|[^.:\n]{0,30}:)/m
/** Where JSON was asked for, a sentence or the rest of an object is no query. */
const isProse = /[.!:]["”)]?$|[{}]|^(?:i|we|no|none|nothing|there|this|sorry|unfortunately)\b/i
