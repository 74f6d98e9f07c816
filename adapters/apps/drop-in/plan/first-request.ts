/** Builds request 1: the caller's own search if it returns all that is needed, otherwise a search that returns more. */

import type { JsonObject } from '../parse/json.ts'
import type { RewritableSearch, SearchCall } from '../parse/parse-search.ts'
import { filled } from '../parse/placeholders.ts'
import type { FetchPlan } from './fetch-plan.ts'
import type { HitTexts } from './hit-texts.ts'

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

/**
 * @param hasHint whether the caller passed the query text next to the body
 * @param pooled whether re-ranking reads a whole list, whichever page the caller wants
 */
export function firstRequest(
  call: SearchCall,
  { body: searched, text, page, url, isBare }: RewritableSearch,
  hasHint: boolean,
  texts: HitTexts,
  pooled: boolean,
  { textOnly, pool }: FetchPlan,
): FirstRequest {
  const whole = filled(call.body, hasHint ? text : undefined)
  const own = whole && { body: whole, url: call.parameters }
  const isFiltered = call.parameters.filter_path !== undefined
  const hasTexts = !isBare && texts.ask(searched) === searched
  if (textOnly) {
    const isEnough = page.from === 0 && pool <= page.size && hasTexts
    const change = isFiltered || isBare ? { url, body: searched } : own
    return { own, change, from: page.from, ...(!isEnough && { pool }) }
  }
  if (!pooled && page.from === 0 && !isFiltered && hasTexts) return { own, change: own, from: 0 }
  const size = Math.max(pooled ? pool : 0, page.from + page.size)
  return { own, change: { url, body: { ...texts.ask(searched), from: 0, size } }, from: 0 }
}
