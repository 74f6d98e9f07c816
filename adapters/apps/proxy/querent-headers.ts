/** The caller's settings for a search, in its `x-querent` headers. */
import { turns } from '../../../src/config.ts'
import type { Turn } from '../../../src/types.ts'
import { headerOf, type RawHeaders } from './headers.ts'

export interface QuerentHeaders {
  /** The query, for a body with `{{query}}` in it. */
  readonly query?: string
  readonly history?: readonly Turn[]
  readonly explains: boolean
  /** Whether to optimize the search. */
  readonly optimizes: boolean
}

/** @param explain whether answers include an explanation even if the caller does not ask for it */
export function readQuerentHeaders(
  headers: RawHeaders,
  explain: boolean,
): QuerentHeaders | { readonly reason: string } {
  const explains = explain || headerOf(headers, 'x-querent-explain') === 'true'
  const query = headerOf(headers, 'x-querent-query')
  const history = headerOf(headers, 'x-querent-history')
  try {
    return {
      explains,
      optimizes: headerOf(headers, 'x-querent-optimize') !== 'false',
      ...(query !== undefined && { query: decodeURIComponent(query) }),
      ...(history !== undefined && { history: turns.parse(JSON.parse(decodeURIComponent(history))) }),
    }
  } catch {
    return {
      reason:
        'its x-querent headers cannot be read: they are percent-encoded, and the history is a list of turns',
    }
  }
}
