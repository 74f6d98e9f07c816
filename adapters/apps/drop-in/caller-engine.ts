/** How an optimized search talks to the engine: with the caller's own client or socket, identity and settings. */
import type { JsonObject } from './json.ts'

/** An answer that arrived, whatever its status. */
export interface EngineAnswer {
  /** Its body, parsed; of an error too. */
  readonly body: unknown
  readonly status: number
  /** Its headers, as far as they say when to ask again. */
  readonly headers?: unknown
  /** The same answer in the form in which the application gets it. */
  readonly own: unknown
}

/** How request 1 differs from what the caller sent. */
export interface Change {
  /** In place of the caller's. */
  readonly body: JsonObject
  /** What is left of the caller's parameters: the others are in the body. */
  readonly url: JsonObject
}

export interface LegsOptions {
  readonly signal: AbortSignal
  /** Milliseconds that the engine has; undefined: as long as it takes. */
  readonly timeout: number | undefined
  /** Parameters of the URL. */
  readonly url: JsonObject
}

/** A request for what fields are, in its own URL. */
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
   * Request 1: the caller's own search, or with a change.
   *
   * @throws what the application would have got: the client's error, or the connection's
   */
  search(change: Change | undefined, options: { readonly signal: AbortSignal }): Promise<EngineAnswer>
  /**
   * Request 2: all legs in one `_msearch`, with the caller's identity.
   *
   * @returns one response a leg, in their order; an error object where that one failed
   */
  msearch(legs: readonly EngineLeg[], options: LegsOptions): Promise<unknown>
  /** What fields are, as `_field_caps` says it to the caller. */
  fieldCaps(
    asked: FieldsRequest,
    options: { readonly signal: AbortSignal; readonly timeout: number },
  ): Promise<EngineAnswer>
}
