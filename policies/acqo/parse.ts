/**
 * ACQO's output grammar: `{"query": "first %% second"}`. The paper gives the grammar (Appendix C) but no parser. What counts as a
 * format failure is Querent's reading. A literal `%%` in a sub-query cannot be told from the separator.
 */
import { QuerentError } from '../../src/errors.ts'
import { limited } from '../../src/prompt.ts'
import { isExample } from '../reading/query-lines.ts'

/** How many opening braces are tried as the beginning of the object. Prose may contain braces. */
const maxBraces = 100

/**
 * For training: accepts one JSON object with a string `query` of 1 to `limit` sub-queries, and nothing else.
 *
 * @throws QuerentError `bad-completion` that says what is wrong
 */
export function parseStrict(text: string, limit: number): string[] {
  const subQueries = split(parseObject(limited(text.trim())))
  if (subQueries.length > limit) throw wrong(`it holds ${subQueries.length} queries and ${limit} is the most`)
  return subQueries
}

/**
 * For searching: finds the object in the prose around it, not a copy of the prompt's example, and keeps the first `limit` sub-queries.
 *
 * @throws QuerentError `bad-completion` if the text contains no such object
 */
export function parseLenient(text: string, limit: number): string[] {
  return split(firstObject(limited(text))).slice(0, limit)
}

/**
 * For the second look: like `parseLenient`, but an empty query is an answer, too, and means that no more is searched.
 *
 * @throws QuerentError `bad-completion` if the text contains no such object
 */
export function parseFollowUp(text: string, limit: number): string[] {
  return subQueriesOf(firstObject(limited(text))).slice(0, limit)
}

const wrong = (why: string): QuerentError =>
  new QuerentError('bad-completion', `Not a {"query": "…"} object: ${why}`)

function parseObject(text: string): object {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new QuerentError('bad-completion', 'Not a {"query": "…"} object: it is not JSON', { cause })
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw wrong('it is not an object')
  return value
}

/** The first balanced `{…}` that is a JSON object with a query of its own, else the one with the query of the prompt's grammar. */
function firstObject(text: string): object {
  let tries = 0
  let isObject = false
  let grammar: object | undefined
  for (
    let start = text.indexOf('{');
    start >= 0 && ++tries <= maxBraces;
    start = text.indexOf('{', start + 1)
  ) {
    const end = endOfObject(text, start)
    if (end < 0) continue
    try {
      const found = parseObject(text.slice(start, end))
      isObject = true
      const query: unknown = Reflect.get(found, 'query')
      if (query === example) grammar ??= found
      else if (typeof query === 'string' && !isExample(query)) return found
    } catch {
      // These braces belong to prose: the object may follow.
    }
  }
  if (grammar !== undefined) return grammar
  throw wrong(isObject ? 'it has no query of its own' : 'there is no JSON object in it')
}

/** What the prompt's grammar has as its query. A model that writes nothing else may mean it. */
const example = 'first %% second'

/** The index after the object that begins at `start`, or -1. Ignores braces inside strings. */
function endOfObject(text: string, start: number): number {
  let depth = 0
  let inString = false
  for (let at = start; at < text.length; at++) {
    const character = text[at]
    if (inString) {
      if (character === '\\') at++
      else if (character === '"') inString = false
    } else if (character === '"') inString = true
    else if (character === '{') depth++
    else if (character === '}' && --depth === 0) return at + 1
  }
  return -1
}

function split(value: object): string[] {
  const subQueries = subQueriesOf(value)
  if (subQueries.length === 0) throw wrong('"query" is empty')
  return subQueries
}

function subQueriesOf(value: object): string[] {
  const query: unknown = Reflect.get(value, 'query')
  if (typeof query !== 'string') throw wrong('"query" is not a string')
  return query
    .split('%%')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}
