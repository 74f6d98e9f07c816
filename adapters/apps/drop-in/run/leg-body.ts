/** What a sub-query is searched with: the caller's body with other words, without what one leg answers for all. */

import { type JsonObject, type Path, without, withValue } from '../json.ts'
import type { Page } from '../parse/paging.ts'
import type { RewritableSearch } from '../parse/parse-search.ts'
import { fill, fillPlain } from '../parse/placeholders.ts'

/** What does not depend on a sub-query's words and stands in the answer once. */
const onlyOnce = ['aggs', 'aggregations', 'suggest', 'profile', 'from', 'size', 'track_total_hits', 'timeout']

/** What the legs of one request are asked for. */
export interface LegsAsked {
  /** How many sub-queries. */
  readonly count: number
  readonly isReranked: boolean
  /** Milliseconds that the engine may take, where that is known. */
  readonly timeout: number | undefined
  /** Hits that they may have together. Default: as many as are of use. */
  readonly shared?: number | undefined
}

/** Hits of a lone list, hits that several share, and the fewest that one of those has. */
const [loneDepth, sharedDepth, leastDepth] = [30, 15, 5]

/** The fewest hits of a list whose hits are large. */
const leastLarge = 2

/**
 * Hits of each sub-query. Re-ranking reads whole lists. Without it, what is behind the first places of a list hardly ever
 * reaches those of the fused one, and to fetch it is most of what an engine does: then the lists share a page's worth, or
 * three of five hits; one that is alone has that of three pages of ten (measured by `bench/leg-depth.ts`). It does not depend
 * on which page is wanted.
 */
export function legDepth({ size, depth }: Page, count: number, isReranked: boolean): number {
  if (isReranked) return depth
  const shared = Math.max(count === 1 ? loneDepth : sharedDepth, size)
  return Math.min(depth, Math.max(leastDepth, Math.ceil(shared / count)))
}

/**
 * The template of all legs of a request: it has the caller's words in its slots, and `fill` puts others there. Filters,
 * highlights, source and security are the caller's own.
 */
export function legTemplate(
  { body: whole, page, vectors }: RewritableSearch,
  { count, isReranked, timeout, shared = Number.POSITIVE_INFINITY }: LegsAsked,
): JsonObject {
  const body = vectors.reduce(withoutVector, whole)
  const own = body.timeout
  const limit = timeout === undefined ? own : (shorter(own, timeout) ?? `${Math.ceil(timeout)}ms`)
  return {
    size: Math.min(legDepth(page, count, isReranked), Math.max(leastLarge, Math.ceil(shared / count))),
    track_total_hits: false,
    ...without(body, ...onlyOnce),
    ...(limit !== undefined && { timeout: limit }),
  }
}

/** The template with these words. What a leg goes without has no words to be filled in either. */
export const filledLeg = (
  template: JsonObject,
  { slots, text: own }: RewritableSearch,
  text: string,
): JsonObject =>
  (text === own ? fill : fillPlain)(
    template,
    slots.filter((path) => isIn(template, path)),
    text,
  )

/** Whether there is anything at this path. */
const isIn = (value: unknown, [first, ...rest]: Path): boolean =>
  first === undefined ||
  (typeof value === 'object' &&
    value !== null &&
    Object.hasOwn(value, first) &&
    isIn((value as Readonly<Record<string | number, unknown>>)[first], rest))

/** A clause with a vector finds nothing; its place in a list stays, since weights are counted by it. */
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

/** The parameters of the URL of all legs: hits within hits are counted as the caller wants it. */
export const legParameters = ({ url: { rest_total_hits_as_int: asInt } }: RewritableSearch): JsonObject =>
  asInt === undefined ? {} : { rest_total_hits_as_int: asInt }

/** The caller's own timeout, where it ends before ours. */
function shorter(own: unknown, timeout: number): unknown {
  const [, digits, unit] = /^(\d+)(ms|s|m)$/.exec(String(own)) ?? []
  if (digits === undefined) return undefined
  return Number(digits) * { ms: 1, s: 1000, m: 60_000 }[unit as 'ms' | 's' | 'm'] <= timeout ? own : undefined
}
