/**
 * The bodies of requests that Querent adds: the caller's body with other text, without the parts that one leg answers for all, or for
 * some hits only. And what makes two searches pages of one list.
 */

import type { Condition, Relaxation } from '../../../../src/types.ts'
import { clausesWhere } from '../../../search/cluster/conditions.ts'
import { relaxedQuery, withoutFields } from '../../../search/cluster/relaxed-query.ts'
import { isObject, type JsonObject, listOf, type Path, valueAt, without, withValue } from '../parse/json.ts'
import type { Page } from '../parse/paging.ts'
import type { RewritableSearch } from '../parse/parse-search.ts'
import { fillPlain } from '../parse/placeholders.ts'

/** Parts that do not depend on a sub-query's text. The answer has them once. */
const onlyOnce = ['aggs', 'aggregations', 'suggest', 'profile', 'from', 'size', 'track_total_hits', 'timeout']

/** Settings for the legs of one request. */
export interface LegsAsked {
  /** Number of sub-queries. */
  readonly count: number
  readonly isReranked: boolean
  /** Milliseconds for the engine, if known. */
  readonly timeout: number | undefined
  /** Maximum hits of all legs together. Default: as many as are useful. */
  readonly shared?: number | undefined
}

/** Hits of a single list, hits that several lists share, and the minimum for each of several lists. */
const [loneDepth, sharedDepth, leastDepth] = [30, 15, 5]

/**
 * Hits of a sub-query's list if the result is re-ranked: what stands behind them hardly ever gets among the 60 documents that are
 * compared. It does not depend on the page size, so that pages of any size come from one list.
 */
const rerankedDepth = 20

/** Minimum hits of a list whose hits are large. */
const leastLarge = 2

/**
 * Hits of each sub-query. Re-ranking reads 20. Without re-ranking, hits behind the first ranks of a list hardly ever
 * reach the first ranks of the fused list, and fetching them is most of the engine's work. So several lists share 15 hits, or one
 * page if that is more. A single list has 30 hits, three pages of ten (`bench/results/models.md` has the figures). No list is longer than
 * the window. The depth does not depend on the wanted page.
 */
export function legDepth({ size, depth }: Page, count: number, isReranked: boolean): number {
  if (isReranked) return Math.min(depth, rerankedDepth)
  const shared = Math.max(count === 1 ? loneDepth : sharedDepth, size)
  return Math.min(depth, Math.max(leastDepth, Math.ceil(shared / count)))
}

/**
 * The template for all legs of a request. Its slots hold the caller's text, and `fill` puts in other texts. Filters, highlights,
 * source and security are the caller's own.
 */
export function legTemplate(
  { body: whole, page, vectors }: RewritableSearch,
  { count, isReranked, timeout, shared = Number.POSITIVE_INFINITY }: LegsAsked,
): JsonObject {
  const body = vectors.reduce(withoutVector, withoutLog(whole))
  const own = body.timeout
  const limit = timeout === undefined ? own : (shorter(own, timeout) ?? `${Math.ceil(timeout)}ms`)
  return {
    size: Math.min(legDepth(page, count, isReranked), Math.max(leastLarge, Math.ceil(shared / count))),
    track_total_hits: false,
    ...without(body, ...onlyOnce),
    ...(limit !== undefined && { timeout: limit }),
  }
}

/** The template with this text. A clause that the leg leaves out has no slots to fill. */
export const filledLeg = (
  template: JsonObject,
  { slots, text: own }: RewritableSearch,
  text: string,
): JsonObject =>
  text === own
    ? template
    : fillPlain(
        template,
        slots.filter((path) => valueAt(template, path) !== undefined),
        text,
      )

/**
 * Replaces a clause with a vector by one that matches nothing. Its position in the list stays, since weights depend on positions.
 */
function withoutVector(body: JsonObject, path: Path): JsonObject {
  if (path[0] === 'knn') return without(body, 'knn')
  const nothing = { match_none: {} }
  const isRetriever = path.at(-2) === 'retriever' || path.at(-3) === 'retrievers'
  return withValue(
    body,
    path.slice(0, -1),
    isRetriever ? { standard: { query: nothing } } : nothing,
  ) as JsonObject
}

/** The caller's own timeout, unless Querent's ends earlier. */
function shorter(own: unknown, timeout: number): unknown {
  const [, digits, unit] = /^(\d+)(ms|s|m)$/.exec(String(own)) ?? []
  if (digits === undefined) return undefined
  return Number(digits) * { ms: 1, s: 1000, m: 60_000 }[unit as 'ms' | 's' | 'm'] <= timeout ? own : undefined
}

/** The body for these documents only. It drops `terminate_after`, which might end the search before it reaches them. */
export function onlyIds(
  { terminate_after: _, ...body }: JsonObject,
  hits: readonly JsonObject[],
): JsonObject {
  return narrowed(body, { bool: { should: documents(hits) } })
}

/** The body for all documents except these. */
export function exceptIds(body: JsonObject, hits: readonly JsonObject[]): JsonObject {
  return hits.length === 0 ? body : narrowed(body, { bool: { must_not: documents(hits) } })
}

/** The body for documents that meet all conditions. */
export function withConditions(body: JsonObject, where: readonly Condition[] | undefined): JsonObject {
  return where === undefined ? body : narrowed(body, { bool: { filter: clausesWhere(where) } })
}

/** The body that gives up some of what its search for the text asks for. */
export function relaxedBody(body: JsonObject, text: string, relaxation: Relaxation | undefined): JsonObject {
  if (relaxation === undefined) return body
  // Only whether there is a hit matters.
  if (relaxation.alone) return { ...body, size: 1, _source: false }
  const { query, post_filter: after } = body
  const { without = [] } = relaxation
  return {
    ...body,
    ...(query !== undefined && { query: relaxedQuery(query, text, relaxation) }),
    ...(after !== undefined && { post_filter: { bool: { filter: withoutFields(after, without) } } }),
  }
}

/**
 * Adds a filter to the body. Around the query, the filter lets the engine skip other documents. An explanation would mention it,
 * so with `explain` it becomes a `post_filter`.
 */
function narrowed(body: JsonObject, filter: JsonObject): JsonObject {
  const { query, post_filter: after, explain } = body
  if (explain === undefined || explain === false)
    return { ...body, query: { bool: { must: [query], filter: [filter] } } }
  return { ...body, post_filter: { bool: { filter: [...listOf(after ?? []), filter] } } }
}

/** One clause for each index and routing: several of them may have the same id. */
function documents(hits: readonly JsonObject[]): JsonObject[] {
  const ids = new Map<string, unknown[]>()
  for (const { _index, _routing, _id } of hits) {
    const place = JSON.stringify([{ _index }, ...(_routing === undefined ? [] : [{ _routing }])])
    ids.set(place, [...(ids.get(place) ?? []), _id])
  }
  return [...ids].map(([place, values]) => ({
    bool: {
      filter: [...(JSON.parse(place) as JsonObject[]).map((term) => ({ term })), { ids: { values } }],
    },
  }))
}

/**
 * The key of the list that the pages of a search are slices of. A logged search may have another id on each page.
 *
 * @param identity the caller
 * @param index as the caller names it
 */
export const listKey = (
  identity: string,
  index: string | undefined,
  { url, body }: Pick<RewritableSearch, 'url' | 'body'>,
): readonly unknown[] => [identity, index, url, without(withoutLog(body), 'from')]

/**
 * The body without `ext.ubi`. OpenSearch's User Behavior Insights logs each search that has it, with its hits, and what a user
 * searched once must be logged once. Other parts of `ext`, such as those of search pipelines, stay.
 */
function withoutLog(body: JsonObject): JsonObject {
  const { ext } = body
  if (!isObject(ext) || ext.ubi === undefined) return body
  const others = without(ext, 'ubi')
  return Object.keys(others).length === 0 ? without(body, 'ext') : { ...body, ext: others }
}
