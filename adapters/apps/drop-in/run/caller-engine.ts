/**
 * How an optimized search reaches the engine: through the caller's client or connection, with the caller's identity and settings.
 */
import type { EngineAnswer } from '../answer/engine-answer.ts'
import { isObject, type JsonObject } from '../parse/json.ts'
import type { Change } from '../plan/first-request.ts'

interface SearchOptions {
  readonly signal: AbortSignal
  /** Whether the change asks for more than the caller did. Then a client sends it once, without its limits for answers. */
  readonly isLarger?: boolean | undefined
}

export interface LegsOptions {
  readonly signal: AbortSignal
  /** Milliseconds for the engine. Undefined: no limit. */
  readonly timeout: number | undefined
  /** URL parameters. */
  readonly url: JsonObject
}

/** A `_field_caps` request. It asks for the types of fields. */
export interface FieldsRequest {
  readonly path: string
  readonly url: JsonObject
}

/** One search of an `_msearch`. */
export interface EngineLeg {
  readonly header: JsonObject
  readonly body: JsonObject
}

export interface CallerEngine {
  /**
   * Sends request 1: the caller's search, unchanged or with a change.
   *
   * @throws the error that the application would get without Querent: the client's or the connection's
   */
  search(change: Change | undefined, options: SearchOptions): Promise<EngineAnswer>
  /**
   * Sends request 2: all legs in one `_msearch`, with the caller's identity.
   *
   * @returns one response per leg, in order; an error object for a failed leg
   */
  msearch(legs: readonly EngineLeg[], options: LegsOptions): Promise<unknown>
  /** Asks `_field_caps` for the types of fields, with the caller's identity. */
  fieldCaps(
    request: FieldsRequest,
    options: { readonly signal: AbortSignal; readonly timeout: number },
  ): Promise<EngineAnswer>
}

/** One search of a request: its header line, which is empty for a `_search`, and its body. */
export interface SearchItem {
  readonly header: JsonObject
  readonly body: unknown
  /** The URL parameters of a changed `_search`. Absent: those of the request. */
  readonly url?: JsonObject
}

/** A request of an application that searches. */
export interface SearchRequest {
  readonly kind: 'search' | 'msearch'
  /** The index of the URL, also for header lines without one. */
  readonly index: string | undefined
  /** URL parameters. */
  readonly parameters: JsonObject
  /** A `_search` has one. */
  readonly items: readonly SearchItem[]
  /** The query text that the caller passed next to the bodies, for those with `{{query}}` in them. */
  readonly query?: string | undefined
}

/** How a request and what Querent adds to it reach the engine. */
export interface RequestEngine extends Pick<CallerEngine, 'msearch' | 'fieldCaps'> {
  /**
   * Sends the caller's own request: as the caller wrote it, or with these searches in it.
   *
   * @throws the error that the application would get without Querent: the client's or the connection's
   */
  send(items: readonly SearchItem[] | undefined, options: SearchOptions): Promise<EngineAnswer>
}

/** The path of an `_msearch` with these legs. A point in time already names its indices. */
export const pathOfLegs = (path: string, legs: readonly EngineLeg[]): string =>
  `${legs.some(({ body }) => body.pit !== undefined) ? '' : path}/_msearch`

/** The searches of header and body lines in turn. Undefined if the lines are no such pairs. */
export function pairsOf(
  lines: readonly unknown[],
  read: (line: unknown, isHeader: boolean) => unknown,
): readonly SearchItem[] | undefined {
  if (lines.length === 0 || lines.length % 2 !== 0) return undefined
  const values = lines.map((line, place) => read(line, place % 2 === 0))
  const items = values.flatMap((header, place) =>
    place % 2 === 0 ? [{ header, body: values[place + 1] }] : [],
  )
  const isRead = (item: { header: unknown; body: unknown }): item is SearchItem =>
    isObject(item.header) && item.body !== undefined
  return items.every(isRead) ? items : undefined
}
