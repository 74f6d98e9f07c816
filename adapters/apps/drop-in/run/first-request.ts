/** What request 1 is sent as: the caller's own search where that brings all that is needed, else more than it. */

import type { HitTexts } from '../answer/hit-texts.ts'
import type { Change } from '../caller-engine.ts'
import { isObject } from '../json.ts'
import { ofSource } from '../parse/parameters.ts'
import type { RewritableSearch, SearchCall } from '../parse/parse-search.ts'
import { fill, filled } from '../parse/placeholders.ts'
import type { SearchSettings } from '../settings.ts'
import type { Reach } from './reach.ts'

export interface FirstRequest {
  /** How the caller's search differs from what the caller wrote: only in words that were told beside it. */
  readonly own: Change | undefined
  /** How request 1 differs; the same one as `own` where no more than that is needed. */
  readonly change: Change | undefined
  /** The place in the caller's list at which its hits begin. */
  readonly from: number
  /** Hits of the caller's list that are asked for beside it, with their texts alone. */
  readonly pool?: number
}

/** The caller's own search: with the words in it, where they were told beside it. */
export function ownRequest({ body, parameters }: SearchCall, query: string | undefined): Change | undefined {
  const whole = filled(body, query)
  return whole && { body: whole, url: parameters }
}

/**
 * Whether request 1 is the caller's own search for certain, before its body is understood: it need not wait for that then,
 * and a search that turns out to be one that passes through is the same.
 *
 * @param told whether the words were told beside the body
 */
export function isOwnAtOnce(
  { body, parameters }: SearchCall,
  told: boolean,
  { rerank, reads }: Pick<SearchSettings, 'rerank' | 'reads'>,
): boolean {
  if (told || rerank !== undefined || !isObject(body)) return false
  const changing = ['filter_path', 'stored_fields', ...(reads ? ofSource : [])]
  const from = parameters.from ?? body.from ?? 0
  return from === 0 && changing.every((name) => body[name] === undefined && parameters[name] === undefined)
}

/**
 * @param told whether the words were told beside the body
 * @param pooled whether re-ranking reads a whole list, whatever page is wanted
 */
export function firstRequest(
  call: SearchCall,
  { body, slots, text, page, url, isBare }: RewritableSearch,
  told: boolean,
  texts: HitTexts,
  pooled: boolean,
  { isLean, pool }: Reach,
): FirstRequest {
  const own = ownRequest(call, told ? text : undefined)
  const searched = told ? fill(body, slots, text) : body
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
