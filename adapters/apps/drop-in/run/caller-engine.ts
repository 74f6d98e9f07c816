/**
 * How an optimized search reaches the engine: through the caller's client or connection, with the caller's identity and settings.
 */
import type { EngineAnswer } from '../answer/engine-answer.ts'
import type { JsonObject } from '../parse/json.ts'
import type { Change } from '../plan/first-request.ts'

export interface SearchOptions {
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
