/** Builds request 1: the caller's own search if it returns all that is needed, otherwise a search that returns more. */

import { isObject, type JsonObject } from '../parse/json.ts'
import { ofSource } from '../parse/parameters.ts'
import type { RewritableSearch, SearchCall } from '../parse/parse-search.ts'
import { fill, filled } from '../parse/placeholders.ts'
import type { HitTexts } from './hit-texts.ts'
import type { Reach } from './reach.ts'

/** How request 1 differs from the caller's search. */
export interface Change {
  /** Replaces the caller's body. */
  readonly body: JsonObject
  /** The caller's URL parameters that were not moved into the body. */
  readonly url: JsonObject
}

export interface FirstRequest {
  /**
   * How the caller's search differs from what the caller wrote: only by the query text that the caller passed next to the body.
   */
  readonly own: Change | undefined
  /** How request 1 differs. The same object as `own` if nothing more is needed. */
  readonly change: Change | undefined
  /** The position in the caller's list at which the returned hits begin. */
  readonly from: number
  /** Number of hits to request from the caller's list in parallel, with their texts alone. */
  readonly pool?: number
}

/** The caller's own search, with the query text filled in if the caller passed it next to the body. */
export function ownRequest({ body, parameters }: SearchCall, query: string | undefined): Change | undefined {
  const whole = filled(body, query)
  return whole && { body: whole, url: parameters }
}

/**
 * Whether request 1 is certain to be the caller's own search before the body is parsed. Then Querent sends it without waiting for
 * the parser. If the search turns out to pass through, the request is the same.
 *
 * @param hasHint whether the caller passed the query text next to the body
 */
export function isOwnAtOnce(
  { body, parameters }: SearchCall,
  hasHint: boolean,
  { rerank, reads }: { readonly rerank: unknown; readonly reads: boolean },
): boolean {
  if (hasHint || rerank !== undefined || !isObject(body)) return false
  const changing = ['filter_path', 'stored_fields', ...(reads ? ofSource : [])]
  const from = parameters.from ?? body.from ?? 0
  return from === 0 && changing.every((name) => body[name] === undefined && parameters[name] === undefined)
}

/**
 * @param hasHint whether the caller passed the query text next to the body
 * @param pooled whether re-ranking reads a whole list, whichever page the caller wants
 */
export function firstRequest(
  call: SearchCall,
  { body, slots, text, page, url, isBare }: RewritableSearch,
  hasHint: boolean,
  texts: HitTexts,
  pooled: boolean,
  { isLean, pool }: Reach,
): FirstRequest {
  const own = ownRequest(call, hasHint ? text : undefined)
  const searched = hasHint ? fill(body, slots, text) : body
  const isFiltered = call.parameters.filter_path !== undefined
  const hasTexts = !isBare && texts.ask(searched) === searched
  if (isLean) {
    const isEnough = page.from === 0 && pool <= page.size && hasTexts
    const change = isFiltered || isBare ? { url, body: searched } : own
    return { own, change, from: page.from, ...(!isEnough && { pool }) }
  }
  if (!pooled && page.from === 0 && !isFiltered && hasTexts) return { own, change: own, from: 0 }
  const size = Math.max(pooled ? pool : 0, page.from + page.size)
  return { own, change: { url, body: { ...texts.ask(searched), from: 0, size } }, from: 0 }
}
