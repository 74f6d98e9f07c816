/** What a search is, as far as it can be rewritten and fused; or why it passes through unchanged. */
import { isObject, type JsonObject, listOf, type Path, without } from './json.ts'
import { type Page, readPage } from './paging.ts'
import { readParameters, withParameters } from './parameters.ts'
import { mostHits } from './retrievers.ts'
import { findSlots } from './slots.ts'
import { findWords } from './words.ts'

/** A search as an application makes it. */
export interface SearchCall {
  /** Names, patterns and aliases with commas between them; absent: all. */
  readonly index?: string | undefined
  /** The URL’s. */
  readonly parameters: JsonObject
  /** Undefined where there is none, or none that could be read. */
  readonly body: unknown
}

/** What the caller tells us beside it. */
export interface Told {
  /** The user’s words, for bodies with `{{query}}` in them. */
  readonly query?: string | undefined
}

export interface Understood {
  readonly text: string
  /** Where the words stand in `body`. */
  readonly slots: readonly Path[]
  /** The fields that are searched for them; empty where the body does not tell. */
  readonly fields: readonly string[]
  readonly page: Page
  /** The body with the URL’s parameters laid over it. */
  readonly body: JsonObject
  /** What goes into the header line of each leg. */
  readonly header: JsonObject
  /** What stays in the URL where `body` is sent in place of the caller’s. */
  readonly url: JsonObject
}

export interface NotUnderstood {
  readonly reason: string
}

/** Keys of a body that every leg takes along, or that the leg of the query as it is answers for all. */
const known = new Set([
  ...['query', 'knn', 'retriever', 'from', 'size', 'timeout', 'terminate_after', 'min_score', 'post_filter'],
  ...['_source', 'fields', 'stored_fields', 'docvalue_fields', 'script_fields', 'highlight', 'explain'],
  ...['version', 'seq_no_primary_term', 'track_total_hits', 'track_scores', 'indices_boost', 'stats', 'ext'],
  ...['runtime_mappings', 'derived', 'collapse', 'pit', 'search_pipeline', 'sort'],
  ...['aggs', 'aggregations', 'suggest', 'profile', 'project_routing'],
])

/** Characters. Longer texts are no questions: to look at them, or to search what a model makes of them, costs too much. */
export const longestText = 10_000

export interface UnderstandOptions {
  /** Hits of a list that take part, at the least. */
  readonly window: number
}

export function understand(
  call: SearchCall,
  told: Told,
  { window }: UnderstandOptions,
): Understood | NotUnderstood {
  const parameters = readParameters(call.parameters)
  if ('reason' in parameters) return parameters
  if (!isObject(call.body)) return { reason: 'it has no body that is a JSON object' }
  const body = withParameters(call.body, parameters.body)

  const unsuitable = whyNotFused(body)
  if (unsuitable !== undefined) return { reason: unsuitable }
  const page = readPage(body, window, mostHits(body.retriever))
  if ('reason' in page) return page

  const words = told.query === undefined ? findWords(body) : findSlots(body, told.query)
  if ('reason' in words) return words
  if (words.text.trim() === '') return { reason: 'its words are empty' }
  if (words.text.length > longestText)
    return { reason: `its words are longer than ${longestText} characters` }
  return {
    page,
    body: body.sort === undefined ? body : without(body, 'sort'),
    header: parameters.header,
    url: parameters.url,
    ...words,
  }
}

/** What of a body cannot be kept when lists are fused. */
function whyNotFused(body: JsonObject): string | undefined {
  const parts = Object.keys(body).filter((key) => body[key] !== undefined)
  const refusal = parts.map((key) => refused.get(key)).find((reason) => reason !== undefined)
  const foreign = parts.find((key) => !known.has(key))
  if (refusal !== undefined) return refusal
  if (foreign !== undefined) return `its part ${foreign} is not known`
  if (!isByScore(body.sort)) return 'it is sorted by something else than the score'
  if (body.stored_fields === '_none_' || listOf(body.stored_fields).includes('_none_'))
    return 'its hits have no _id'
  if (body.query === undefined && body.knn === undefined && body.retriever === undefined)
    return 'it has no words of a user'
  return undefined
}

const refused: ReadonlyMap<string, string> = new Map([
  ['search_after', 'search_after cannot be fused'],
  ['slice', 'a slice cannot be fused'],
  ['rescore', 'it is rescored by the engine'],
  ['rank', 'it is ranked by the engine'],
  ['sub_searches', 'it is ranked by the engine'],
  ['scroll', 'a scroll cannot be fused'],
])

/** Absent, or by score alone, the best first. */
function isByScore(sort: unknown): boolean {
  if (sort === undefined) return true
  const [key, ...others] = listOf(sort)
  if (key === undefined) return true
  if (others.length > 0) return false
  if (key === '_score' || key === '_score:desc') return true
  if (!isObject(key) || Object.keys(key).join() !== '_score') return false
  const order = isObject(key._score) ? (key._score.order ?? 'desc') : key._score
  return order === 'desc'
}
