/** A search of a client, taken apart: the same for both official clients, whose transports do the rest. */
import type { Change, Engine, EngineAnswer, EngineLeg } from '../request/engine.ts'
import { isObject, type JsonObject, numberOf } from '../request/json.ts'
import type { MsearchEngine, MsearchItem } from '../request/optimized-msearch.ts'

/** What a client gives where it is asked for all of an answer. */
export interface ClientResult {
  readonly body: unknown
  readonly statusCode?: number | null
}

export interface LegOptions {
  readonly signal: AbortSignal
  /** Milliseconds; undefined: as long as the client waits. */
  readonly timeout: number | undefined
}

/** The ways in which a search reaches the engine; each rejects with the client’s own error. */
export interface ClientCalls {
  /** As the caller wrote it. */
  own(signal: AbortSignal): Promise<ClientResult>
  changed(change: Change, signal: AbortSignal): Promise<ClientResult>
  /** Header and body in turn; `index`, where there is one, is the URL’s. */
  msearch(lines: readonly unknown[], index: string | undefined, options: LegOptions): Promise<ClientResult>
}

/** Those of an `_msearch`: `changed` has other lines, in the caller’s own request. */
export interface MsearchCalls extends Omit<ClientCalls, 'changed'> {
  changed(lines: readonly unknown[], signal: AbortSignal): Promise<ClientResult>
}

/** What the application’s caller gets in the end. */
export type ClientEnd = { readonly result: ClientResult } | { readonly error: unknown }

/** The engine behind a client. An error that the engine answered with is an answer here, and the caller’s own again at the end. */
export function clientEngine(calls: ClientCalls, index: string | undefined): Engine {
  return {
    search: (change, { signal }) =>
      answerOf(change === undefined ? calls.own(signal) : calls.changed(change, signal)),
    msearch: (legs, options) => askLegs(calls, legs, index, options),
  }
}

/** The same for an `_msearch` of the caller’s. */
export function clientMsearchEngine(
  calls: MsearchCalls,
  items: readonly MsearchItem[],
  index: string | undefined,
): MsearchEngine {
  return {
    sendAll(sent, { signal }) {
      const isOwn = sent.length === items.length && sent.every((item, place) => item === items[place])
      const lines = sent.flatMap(({ header, body }) => [header, body])
      return answerOf(isOwn ? calls.own(signal) : calls.changed(lines, signal))
    },
    msearch: (legs, options) => askLegs(calls, legs, index, options),
  }
}

async function askLegs(
  calls: Pick<ClientCalls, 'msearch'>,
  legs: readonly EngineLeg[],
  index: string | undefined,
  options: LegOptions,
): Promise<unknown> {
  const lines = legs.flatMap(({ header, body }): JsonObject[] => [header, body])
  // A point in time knows its indices.
  const at = legs.some(({ body }) => body.pit !== undefined) ? undefined : index
  const { body } = await calls.msearch(lines, at, options)
  return isObject(body) ? body.responses : undefined
}

async function answerOf(asked: Promise<ClientResult>): Promise<EngineAnswer> {
  try {
    const result = await asked
    return { body: result.body, status: result.statusCode ?? 200, own: { result } satisfies ClientEnd }
  } catch (error) {
    const { statusCode, body } = (error ?? {}) as { readonly statusCode?: unknown; readonly body?: unknown }
    const status = numberOf(statusCode)
    if (status === undefined || status < 400) throw error
    return { body, status, own: { error } satisfies ClientEnd }
  }
}
