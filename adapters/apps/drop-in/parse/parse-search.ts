/** Parses a search. The result is a search that Querent can rewrite and fuse, or the reason why it passes through unchanged. */
import { maxQueryLength } from '../../../../src/config.ts'
import { NotRewritable } from './clauses.ts'
import { type KindOf, patternsOf } from './field-kinds.ts'
import { findQueryText, matchesAll, maxHits, type NoQueryText, type QueryText } from './find-query-text.ts'
import { isObject, type JsonObject, listOf, namesIn, quoted, valueAt, without } from './json.ts'
import { canRestrict, type Page, readPage } from './paging.ts'
import { filtersIn, readParameters, scrolls, withParameters } from './parameters.ts'
import { fill, findSlots } from './placeholders.ts'
import type { Ranking } from './ranking.ts'

/** A search as the application sends it. */
export interface SearchCall {
  /** Comma-separated names, patterns and aliases. Absent: all indices. */
  readonly index?: string | undefined
  /** URL parameters. */
  readonly parameters: JsonObject
  /** Undefined if the search has no readable body. */
  readonly body: unknown
}

/** What the caller passes next to the search. */
export interface CallerHints {
  /** The query text, for bodies with `{{query}}` in them. */
  readonly query?: string | undefined
}

/** `slots` are the places of the query text in `body`. `fields` is empty if the body does not name any. */
export interface RewritableSearch extends QueryText {
  readonly page: Page
  /** Whether the caller wants hits without `_id` and `_source`. Querent removes both from the answer. */
  readonly isBare: boolean
  /** The body with the URL's parameters laid over it. */
  readonly body: JsonObject
  /** Goes into the header line of each leg. */
  readonly header: JsonObject
  /** The URL parameters that remain when `body` replaces the caller's body. */
  readonly url: JsonObject
}

export interface PassThrough extends NoQueryText {
  /** The options that decide which indices are searched. Absent if `unknown` is absent. */
  readonly header?: JsonObject
}

/** Parts of a body that every leg contains, or that the leg of the original query answers for all legs. */
const known = new Set(
  namesIn(`
    query knn retriever from size timeout terminate_after min_score post_filter _source fields stored_fields
    docvalue_fields script_fields highlight explain version seq_no_primary_term track_total_hits
    track_scores indices_boost stats ext runtime_mappings derived collapse pit search_pipeline sort aggs
    aggregations suggest profile project_routing`),
)

/** Fields that a search may name. An index has at most so many, unless its settings allow more. */
const maxFields = 1000
const tooManyFields = `it searches more than ${maxFields} fields`

/** Patterns that say which parts of an answer to return. Each is compared with many names. */
const maxPatterns = 100

export interface ParseSearchOptions {
  /** Minimum hits of a list that take part in the fusion. */
  readonly window: number
  /** What can change a search beside sub-queries: a re-ranker, steps for one that finds nothing, age. Default: none of them. */
  readonly rerank?: unknown
  readonly relax?: unknown
  readonly recency?: unknown
  /** Whether the application chose the re-ranker. Then it ranks wherever there are hits. Default: false. */
  readonly isChosen?: boolean
  /** The known kinds of fields. Default: none; every field that may hold text is read as a text field. */
  readonly kindsFor?: (header: JsonObject) => KindOf
}

export function parseSearch(
  call: SearchCall,
  hints: CallerHints,
  {
    window,
    rerank,
    relax = false,
    recency,
    isChosen = false,
    kindsFor = () => () => undefined,
  }: ParseSearchOptions,
): RewritableSearch | PassThrough {
  const parameters = readParameters(call.parameters)
  if ('reason' in parameters) return parameters
  const own = call.body ?? (parameters.body.query === undefined ? undefined : {})
  if (!isObject(own)) return { reason: 'its body is not a JSON object' }
  const body = withParameters(own, parameters.body)

  const unsuitable = whyNotFused(body) ?? tooManyPatterns(body, call.parameters)
  if (unsuitable !== undefined) return { reason: unsuitable }
  const page = readPage(body, window, maxHits(body.retriever), canRestrict(body))
  if ('reason' in page) return page

  const { header, url } = parameters
  const words =
    hints.query === undefined
      ? findQueryText(body, atSearch(body, kindsFor(header)))
      : findSlots(body, hints.query)
  if ('reason' in words) return words.unknown === undefined ? words : { ...words, header }
  if (words.text.trim() === '') return { reason: 'its words are empty' }
  if (words.text.length > maxQueryLength)
    return { reason: `its words are longer than ${maxQueryLength} characters` }
  if (words.fields.length > maxFields) return { reason: tooManyFields }
  const { fixed, ranking } = words
  const isKept = rerank !== undefined && !isChosen && hides(body, ranking)
  const depends = words.unknown.length > 0 && { unknown: words.unknown, header }
  if (isKept) return { reason: byMore(body, ranking), ...depends }
  const isLeft = rerank === undefined && recency === undefined && relax === false
  if (isLeft && fixed !== undefined) return { reason: fixed, ...depends }
  return {
    page,
    header,
    url,
    body: searched(hints.query === undefined ? body : fill(body, words.slots, words.text)),
    isBare: hasNoIds(body),
    ...words,
  }
}

/** Whether a factor cannot be told from the words: by how the score is made, or since the hits read cannot be scored again. */
const hides = (body: JsonObject, { factors }: Ranking): boolean =>
  factors.some(({ way }) => way === 'hides') || (factors.length > 0 && !canRestrict(body))

/** Why a search that ranks by more than its words is not searched by other words. */
export function byMore(body: JsonObject, { factors: [factor] }: Ranking): string {
  const clause = factor && valueAt(body, factor.path)
  const name = isObject(clause) && factor?.path[0] !== 'indices_boost' ? Object.keys(clause)[0] : undefined
  return name === undefined
    ? 'it ranks by more than its words'
    : `its ${quoted(name)} ranks by more than words`
}

/** The body to send. A sort by score alone is dropped, since it has no effect. Hits get their `_id`, which identifies them. */
function searched(body: JsonObject): JsonObject {
  const sorted = body.sort === undefined || breaksTies(body.sort) ? body : without(body, 'sort')
  return hasNoIds(sorted) ? (withIds(sorted) ?? sorted) : sorted
}

/**
 * Fields that a search defines at run time count as values, whatever the index has under their names. The kinds of too many fields
 * are not looked up: they throw `NotRewritable`.
 */
function atSearch({ runtime_mappings: runtime, derived }: JsonObject, kindOf: KindOf): KindOf {
  const own = new Set([runtime, derived].flatMap((fields) => (isObject(fields) ? Object.keys(fields) : [])))
  const asked = new Set<string>()
  return (field) => {
    if (asked.add(field).size > maxFields) throw new NotRewritable(tooManyFields)
    return own.has(field) ? { is: 'defined by the search itself' } : kindOf(field)
  }
}

/** The reason for a search that says by too many patterns what its answer contains. */
function tooManyPatterns(body: JsonObject, { filter_path: filter }: JsonObject): string | undefined {
  if (filtersIn(filter).length > maxPatterns)
    return `its \`filter_path\` has more than ${maxPatterns} patterns`
  if (patternsOf(body).length > maxPatterns)
    return `it lists the fields of its hits by more than ${maxPatterns} patterns`
  return undefined
}

/** Why a body cannot be fused. */
function whyNotFused(body: JsonObject): string | undefined {
  const parts = Object.keys(body).filter((key) => body[key] !== undefined)
  const refusal = parts.map((key) => refused.get(key)).find((reason) => reason !== undefined)
  const foreign = parts.find((key) => !known.has(key))
  if (refusal !== undefined) return refusal
  if (foreign !== undefined) return `Querent does not know its part ${quoted(foreign)}`
  if (!isByScore(body.sort)) return 'it is not sorted by `_score` first'
  if (breaksTies(body.sort) && body.pit !== undefined) return 'its pages continue by `search_after`'
  if (hasNoIds(body) && withIds(body) === undefined) return 'its hits would have no `_id`'
  if (body.query === undefined && body.knn === undefined && body.retriever === undefined) return matchesAll
  return undefined
}

const refused: ReadonlyMap<string, string> = new Map([
  ['search_after', 'it continues a list by `search_after`'],
  ['slice', 'it reads one part of the index (`slice`)'],
  ['rescore', 'the engine re-ranks it (`rescore`)'],
  ['rank', 'the engine merges its lists (`rank`)'],
  ['sub_searches', 'the engine merges its lists (`sub_searches`)'],
  ['scroll', scrolls],
])

/** Whether the sort is absent, or is by descending score first. */
function isByScore(sort: unknown): boolean {
  const [key] = sort === undefined ? [] : listOf(sort)
  if (key === undefined || key === '_score') return true
  if (!isObject(key) || Object.keys(key).join() !== '_score') return false
  const order = isObject(key._score) ? (key._score.order ?? 'desc') : key._score
  return order === 'desc'
}

/** Whether the sort breaks ties between equal scores. Such a sort stays in the body. */
const breaksTies = (sort: unknown): boolean => sort !== undefined && listOf(sort).length > 1

/**
 * A version of a `_none_` body whose hits have an `_id`. Undefined if the engine would refuse the body: `_none_` allows no other
 * stored parts.
 */
function withIds(body: JsonObject): JsonObject | undefined {
  const others = ['_source', 'fields', 'version', 'seq_no_primary_term']
  return others.every((name) => body[name] === undefined || body[name] === false)
    ? { ...without(body, 'stored_fields'), _source: false }
    : undefined
}

const hasNoIds = ({ stored_fields: stored }: JsonObject): boolean => listOf(stored).includes('_none_')
