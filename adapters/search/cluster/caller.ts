/** What is sent for a caller beside the searches themselves. */
import type { CallOptions } from './cluster.ts'
import type { Caller } from './options.ts'

/** The line before each search of an `_msearch`. The caller's own routing and preference win. */
export function searchHeader(own: Caller, caller: Caller): object {
  const [routing, preference] = [caller.routing ?? own.routing, caller.preference ?? own.preference]
  return { ...(routing !== undefined && { routing }), ...(preference !== undefined && { preference }) }
}

/**
 * How it is sent: with the headers of both, the caller's in place of others of that name whatever its case, and once only.
 * Whether it is sent again is decided where the deadline is known.
 */
export function callOf(own: Caller, caller: Caller): CallOptions {
  return { headers: { ...lowerCase(own.headers), ...lowerCase(caller.headers) }, retries: 0 }
}

function lowerCase(headers: Caller['headers'] = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}
