/** What a caller says of a search in its headers, beside the search itself. */
import { turns } from '../../../src/config.ts'
import type { Turn } from '../../../src/types.ts'
import { headerOf, type RawHeaders } from './headers.ts'

export interface QuerentHeaders {
  /** The words, for a body with `{{query}}` in it. */
  readonly query?: string
  readonly history?: readonly Turn[]
  readonly explains: boolean
  /** Whether the search is to be optimized. */
  readonly optimizes: boolean
}

/** @param explain whether answers say what was done where the caller does not ask */
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
