/** What a sub-query is searched with: the caller’s body with other words, without what one leg answers for all. */

import { type JsonObject, without } from './json.ts'
import type { Understood } from './understand.ts'

/** What does not depend on a sub-query’s words and stands in the answer once. */
const onlyOnce = ['aggs', 'aggregations', 'suggest', 'profile', 'from', 'size', 'track_total_hits', 'timeout']

/**
 * The template of all legs of a request: it has the caller’s words in its slots, and `fill` puts others there. Filters,
 * highlights, source and security are the caller’s own.
 *
 * @param timeout milliseconds that the engine may take, where that is known
 */
export function legTemplate({ body, page }: Understood, timeout: number | undefined): JsonObject {
  const own = body.timeout
  const limit = timeout === undefined ? own : (shorter(own, timeout) ?? `${Math.ceil(timeout)}ms`)
  return {
    ...without(body, ...onlyOnce),
    size: page.depth,
    track_total_hits: false,
    ...(limit !== undefined && { timeout: limit }),
  }
}

/** The parameters of the URL of all legs: hits within hits are counted as the caller wants it. */
export const legParameters = ({ url: { rest_total_hits_as_int: asInt } }: Understood): JsonObject =>
  asInt === undefined ? {} : { rest_total_hits_as_int: asInt }

/** The caller’s own timeout, where it ends before ours. */
function shorter(own: unknown, timeout: number): unknown {
  const [, digits, unit] = /^(\d+)(ms|s|m)$/.exec(String(own)) ?? []
  if (digits === undefined) return undefined
  return Number(digits) * { ms: 1, s: 1000, m: 60_000 }[unit as 'ms' | 's' | 'm'] <= timeout ? own : undefined
}
