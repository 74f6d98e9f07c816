/** The caller's settings for a search, in its `x-querent` headers. */
import type { Turn } from '../../../src/types.ts'
import { readTurns } from '../drop-in/parse/caller-context.ts'
import { headerOf, type RawHeaders } from './headers.ts'
import { utf8 } from './read-body.ts'

export interface QuerentHeaders {
  /** The query, for a body with `{{query}}` in it. Absent if the header is, or cannot be read. */
  readonly query?: string
  /** The conversation before the query. Absent if the header is, or cannot be read. */
  readonly history?: readonly Turn[]
  /** The turns that were left out, each with the reason. */
  readonly leftOut: readonly string[]
  /** The headers with a query or a history that cannot be read, by their names. */
  readonly unreadable: readonly string[]
  /** Whether the answer includes an explanation. */
  readonly explains: boolean
  /** Whether to optimize the search. */
  readonly optimizes: boolean
}

export interface Switches {
  /** What the caller asks to be told: all, or only what stands in the answer's header. */
  readonly explain: 'all' | 'header' | undefined
  readonly optimizes: boolean
  /** The headers whose values are no such words and have no effect, by their names. */
  readonly ignored: readonly string[]
}

/** @param explain whether answers include an explanation even if the caller does not ask for it */
export function readQuerentHeaders(headers: RawHeaders, explain: boolean): QuerentHeaders {
  const unreadable: string[] = []
  /** What a header holds, read on its own: one that cannot be read takes no other along. */
  function valueIn<T>(name: string, read: (text: string) => T): T | undefined {
    const value = headerOf(headers, name)
    if (value === undefined) return undefined
    try {
      return read(decoded(value))
    } catch {
      unreadable.push(name)
      return undefined
    }
  }
  const query = valueIn('x-querent-query', (text) => text)
  const { turns: history, leftOut } = readTurns(valueIn<unknown>('x-querent-history', JSON.parse))
  const switches = readSwitches(headers)
  return {
    unreadable,
    leftOut,
    explains: explain || switches.explain === 'all',
    optimizes: switches.optimizes,
    ...(query !== undefined && { query }),
    ...(history !== undefined && { history }),
  }
}

/** The settings that are on or off, in any case: `true`, `yes`, `on`, `1`; `false`, `no`, `off`, `0`. */
export function readSwitches(headers: RawHeaders): Switches {
  const [explain, optimize] = [wordOf(headers, 'x-querent-explain'), wordOf(headers, 'x-querent-optimize')]
  const isHeader = explain === 'header'
  const ignored = [
    ...(explain === undefined || isHeader || words.has(explain) ? [] : ['x-querent-explain']),
    ...(optimize === undefined || words.has(optimize) ? [] : ['x-querent-optimize']),
  ]
  return {
    explain: isHeader ? 'header' : words.get(explain ?? '') === true ? 'all' : undefined,
    optimizes: words.get(optimize ?? '') !== false,
    ignored,
  }
}

const words: ReadonlyMap<string, boolean> = new Map([
  ...['true', 'yes', 'on', '1'].map((word) => [word, true] as const),
  ...['false', 'no', 'off', '0'].map((word) => [word, false] as const),
])

const wordOf = (headers: RawHeaders, name: string): string | undefined =>
  headerOf(headers, name)?.trim().toLowerCase()

/**
 * Decodes a value that is percent-encoded. Also takes UTF-8 as it is, of which Node makes one character for each byte.
 *
 * @throws TypeError for bytes that are not UTF-8; URIError for a `%` that encodes nothing
 */
const decoded = (value: string): string => decodeURIComponent(utf8(Buffer.from(value, 'latin1')))
