/** What a caller adds to a request: routing, preference and headers. */
import type { CallOptions } from './cluster.ts'
import type { Caller } from './options.ts'

/** The header line of each search in an `_msearch`. The caller's routing and preference take precedence. */
export function searchHeader(own: Caller, caller: Caller): object {
  const [routing, preference] = [caller.routing ?? own.routing, caller.preference ?? own.preference]
  return { ...(routing !== undefined && { routing }), ...(preference !== undefined && { preference }) }
}

/**
 * The options of a call: the headers of both, in which the caller's replace those of the same name in any case, and no retries.
 * The code that knows the deadline decides on retries.
 */
export function callOf(own: Caller, caller: Caller): CallOptions {
  return { headers: { ...lowerCase(own.headers), ...lowerCase(caller.headers) }, retries: 0 }
}

function lowerCase(headers: Caller['headers'] = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}
