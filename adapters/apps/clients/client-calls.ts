/** The calls of a client's search, the same for both official clients. Their transports do the rest. */

import type { EngineAnswer } from '../drop-in/answer/engine-answer.ts'
import { isObject, type JsonObject, numberOf } from '../drop-in/parse/json.ts'
import type { Change } from '../drop-in/plan/first-request.ts'
import type { CallerEngine, EngineLeg, FieldsRequest } from '../drop-in/run/caller-engine.ts'
import type { MsearchEngine, MsearchItem } from '../drop-in/run/optimized-msearch.ts'

/** The full result of a client call, not only its body. */
export interface ClientResult {
  readonly body: unknown
  readonly statusCode?: number | null
  readonly headers?: unknown
}

export interface LegOptions {
  readonly signal: AbortSignal
  /** Milliseconds. Undefined: the timeout of the client. */
  readonly timeout: number | undefined
  /** URL parameters. */
  readonly url: JsonObject
}

/** The ways in which a search reaches the engine. Each rejects with the client's own error. */
export interface ClientCalls {
  /** Sends the search as the caller wrote it. */
  own(signal: AbortSignal): Promise<ClientResult>
  /** @param isLarger whether it asks for more than the caller did: see `CallerEngine.search` */
  changed(change: Change, signal: AbortSignal, isLarger?: boolean): Promise<ClientResult>
  /** Sends header and body lines in turn. `index`, if defined, goes into the URL. */
  msearch(lines: readonly unknown[], index: string | undefined, options: LegOptions): Promise<ClientResult>
  fieldCaps(asked: FieldsRequest, options: Omit<LegOptions, 'url'>): Promise<ClientResult>
}

/** The calls of an `_msearch`. `changed` sends other lines in the caller's own request. */
export interface MsearchCalls extends Omit<ClientCalls, 'changed'> {
  changed(lines: readonly unknown[], signal: AbortSignal, isLarger?: boolean): Promise<ClientResult>
}

/** What the application's caller finally gets. */
export type ClientEnd = { readonly result: ClientResult } | { readonly error: unknown }

/** Request headers that describe the search's own body. Another body has the client's own types. */
const ofBody = new Set(['content-type', 'content-encoding', 'content-length', 'accept'])

/** The headers of a search, for requests with another body. */
export const headersOfOurs = (headers: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !ofBody.has(name.toLowerCase())))

/** Whether the caller accepts JSON: Querent can read nothing else. */
export function wantsJson(headers: JsonObject): boolean {
  const [, accept] = Object.entries(headers).find(([name]) => name.toLowerCase() === 'accept') ?? []
  return accept === undefined || /json|\*\/\*/i.test(String(accept))
}

/**
 * The engine behind a client. An error answer of the engine counts as an answer here. In the end, the caller gets it as the
 * client's error.
 */
export function clientEngine(calls: ClientCalls, index: string | undefined): CallerEngine {
  return {
    search: (change, { signal, isLarger }) =>
      answerOf(change === undefined ? calls.own(signal) : calls.changed(change, signal, isLarger)),
    msearch: (legs, options) => askLegs(calls, legs, index, options),
    fieldCaps: (asked, options) => answerOf(calls.fieldCaps(asked, options)),
  }
}

/** The same for an `_msearch`. */
export function clientMsearchEngine(
  calls: MsearchCalls,
  items: readonly MsearchItem[],
  index: string | undefined,
): MsearchEngine {
  return {
    sendAll(sent, { signal, isLarger }) {
      const isOwn = sent.length === items.length && sent.every((item, place) => item === items[place])
      const lines = sent.flatMap(({ header, body }) => [header, body])
      return answerOf(isOwn ? calls.own(signal) : calls.changed(lines, signal, isLarger))
    },
    msearch: (legs, options) => askLegs(calls, legs, index, options),
    fieldCaps: (asked, options) => answerOf(calls.fieldCaps(asked, options)),
  }
}

async function askLegs(
  calls: Pick<ClientCalls, 'msearch'>,
  legs: readonly EngineLeg[],
  index: string | undefined,
  options: LegOptions,
): Promise<unknown> {
  const lines = legs.flatMap(({ header, body }): JsonObject[] => [header, body])
  // A point in time already names its indices.
  const at = legs.some(({ body }) => body.pit !== undefined) ? undefined : index
  const { body } = await calls.msearch(lines, at, options)
  return isObject(body) ? body.responses : undefined
}

async function answerOf(asked: Promise<ClientResult>): Promise<EngineAnswer> {
  try {
    const result = await asked
    const { body, statusCode, headers } = result
    return { body, status: statusCode ?? 200, headers, own: { result } satisfies ClientEnd }
  } catch (error) {
    const { statusCode, body, headers } = (error ?? {}) as Partial<Record<string, unknown>>
    const status = numberOf(statusCode)
    if (status === undefined || status < 400) throw error
    return { body, status, headers, own: { error } satisfies ClientEnd }
  }
}
