/** What a search is, as far as it can be rewritten and fused; or why it passes through unchanged. */
import { canChoose } from '../answer/chosen-hits.ts'
import { isObject, type JsonObject, listOf, without } from '../json.ts'
import { maxHits } from '../run/retrievers.ts'
import type { KindOf } from './field-kinds.ts'
import { findQueryText, type NoQueryText, type QueryText } from './find-query-text.ts'
import { type KeptOrder, whyNotReranked } from './keeps-order.ts'
import { type Page, readPage } from './paging.ts'
import { readParameters, withParameters } from './parameters.ts'
import { findSlots, slot } from './placeholders.ts'

/** A search as an application makes it. */
export interface SearchCall {
  /** Names, patterns and aliases with commas between them; absent: all. */
  readonly index?: string | undefined
  /** The URL's. */
  readonly parameters: JsonObject
  /** Undefined where there is none, or none that could be read. */
  readonly body: unknown
}

/** What the caller tells us beside it. */
export interface CallerHints {
  /** The user's words, for bodies with `{{query}}` in them. */
  readonly query?: string | undefined
}

/** `slots` are the places of the words in `body`; `fields` is empty where the body does not tell. */
export interface RewritableSearch extends QueryText {
  readonly page: Page
  /** Why its hits are not re-ranked; absent where they may be. */
  readonly keepsOrder?: KeptOrder
  /** Whether the caller wants hits without `_id` and `_source`: they are taken out again. */
  readonly isBare: boolean
  /** The body with the URL's parameters laid over it. */
  readonly body: JsonObject
  /** What goes into the header line of each leg. */
  readonly header: JsonObject
  /** What stays in the URL where `body` is sent in place of the caller's. */
  readonly url: JsonObject
}

export interface PassThrough extends NoQueryText {
  /** What the indices of the search depend on; absent where it has no `unknown`. */
  readonly header?: JsonObject
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
export const maxTextLength = 10_000

/** Why a search has no other words. */
export const strict = 'its operator or minimum_should_match says what may be found'

export interface ParseSearchOptions {
  /** Hits of a list that take part, at the least. */
  readonly window: number
  /** What orders the hits of a body to which nothing may be added. Default: none, it passes through. */
  readonly rerank?: unknown
  /** What is known of fields. Default: nothing, so that all that may hold texts are taken to. */
  readonly kindsFor?: (header: JsonObject) => KindOf
}

export function parseSearch(
  call: SearchCall,
  told: CallerHints,
  { window, rerank, kindsFor = () => () => undefined }: ParseSearchOptions,
): RewritableSearch | PassThrough {
  const parameters = readParameters(call.parameters)
  if ('reason' in parameters) return parameters
  const own = call.body ?? (parameters.body.query === undefined ? undefined : {})
  if (!isObject(own)) return { reason: 'it has no body that is a JSON object' }
  const body = withParameters(own, parameters.body)

  const unsuitable = whyNotFused(body)
  if (unsuitable !== undefined) return { reason: unsuitable }
  const page = readPage(body, window, maxHits(body.retriever), canChoose(body))
  if ('reason' in page) return page

  const { header, url } = parameters
  const words =
    told.query === undefined
      ? findQueryText(body, atSearch(body, kindsFor(header)))
      : findSlots(body, told.query)
  if ('reason' in words) return words.unknown === undefined ? words : { ...words, header }
  if (words.text.trim() === '') return { reason: 'its words are empty' }
  if (words.text.length > maxTextLength)
    return { reason: `its words are longer than ${maxTextLength} characters` }
  const isWords = (value: string): boolean => value === (told.query === undefined ? words.text : slot)
  const keepsOrder = whyNotReranked(body, isWords)
  if (words.isStrict && (rerank === undefined || keepsOrder !== undefined)) return { reason: strict }
  return {
    page,
    header,
    url,
    ...(keepsOrder !== undefined && { keepsOrder }),
    body: searched(body),
    isBare: hasNoIds(body),
    ...words,
  }
}

/** The body as it is searched: a sort by score alone says nothing, and hits are known by their `_id`. */
function searched(body: JsonObject): JsonObject {
  const sorted = body.sort === undefined || breaksTies(body.sort) ? body : without(body, 'sort')
  return hasNoIds(sorted) ? (withIds(sorted) ?? sorted) : sorted
}

/** Fields that a search makes for itself are values, whatever the index has under their names. */
function atSearch({ runtime_mappings: runtime, derived }: JsonObject, kindOf: KindOf): KindOf {
  const own = [runtime, derived].flatMap((fields) => (isObject(fields) ? Object.keys(fields) : []))
  return own.length === 0 ? kindOf : (field) => (own.includes(field) ? 'other' : kindOf(field))
}

/** What of a body cannot be kept when lists are fused. */
function whyNotFused(body: JsonObject): string | undefined {
  const parts = Object.keys(body).filter((key) => body[key] !== undefined)
  const refusal = parts.map((key) => refused.get(key)).find((reason) => reason !== undefined)
  const foreign = parts.find((key) => !known.has(key))
  if (refusal !== undefined) return refusal
  if (foreign !== undefined) return `its part ${foreign} is not known`
  if (!isByScore(body.sort)) return 'it is sorted by something else than the score'
  if (breaksTies(body.sort) && body.pit !== undefined) return 'its pages go on by search_after'
  if (hasNoIds(body) && withIds(body) === undefined) return 'its hits have no _id'
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

/** Absent, or by score first, the best first. */
function isByScore(sort: unknown): boolean {
  const [key] = sort === undefined ? [] : listOf(sort)
  if (key === undefined || key === '_score' || key === '_score:desc') return true
  if (!isObject(key) || Object.keys(key).join() !== '_score') return false
  const order = isObject(key._score) ? (key._score.order ?? 'desc') : key._score
  return order === 'desc'
}

/** Whether something else decides where scores are equal: such a sort stays in the body. */
const breaksTies = (sort: unknown): boolean => sort !== undefined && listOf(sort).length > 1

/**
 * A body whose hits have no `_id`, with one that they have. Undefined where the engine would refuse it: `_none_` goes with
 * nothing else that is stored.
 */
function withIds(body: JsonObject): JsonObject | undefined {
  const others = ['_source', 'fields', 'version', 'seq_no_primary_term']
  return others.every((name) => body[name] === undefined || body[name] === false)
    ? { ...without(body, 'stored_fields'), _source: false }
    : undefined
}

const hasNoIds = ({ stored_fields: stored }: JsonObject): boolean => listOf(stored).includes('_none_')
