/** A search of a client, taken apart: the same for both official clients, whose transports do the rest. */
import type {
  CallerEngine,
  Change,
  EngineAnswer,
  EngineLeg,
  FieldsRequest,
} from '../drop-in/caller-engine.ts'
import { isObject, type JsonObject, numberOf } from '../drop-in/json.ts'
import type { MsearchEngine, MsearchItem } from '../drop-in/run/optimized-msearch.ts'

/** What a client gives where it is asked for all of an answer. */
export interface ClientResult {
  readonly body: unknown
  readonly statusCode?: number | null
  readonly headers?: unknown
}

export interface LegOptions {
  readonly signal: AbortSignal
  /** Milliseconds; undefined: as long as the client waits. */
  readonly timeout: number | undefined
  /** Parameters of the URL. */
  readonly url: JsonObject
}

/** The ways in which a search reaches the engine; each rejects with the client's own error. */
export interface ClientCalls {
  /** As the caller wrote it. */
  own(signal: AbortSignal): Promise<ClientResult>
  changed(change: Change, signal: AbortSignal): Promise<ClientResult>
  /** Header and body in turn; `index`, where there is one, is the URL's. */
  msearch(lines: readonly unknown[], index: string | undefined, options: LegOptions): Promise<ClientResult>
  fieldCaps(asked: FieldsRequest, options: Omit<LegOptions, 'url'>): Promise<ClientResult>
}

/** Those of an `_msearch`: `changed` has other lines, in the caller's own request. */
export interface MsearchCalls extends Omit<ClientCalls, 'changed'> {
  changed(lines: readonly unknown[], signal: AbortSignal): Promise<ClientResult>
}

/** What the application's caller gets in the end. */
export type ClientEnd = { readonly result: ClientResult } | { readonly error: unknown }

/** What the options of a search say of its own body: another one is of the client's own types. */
const ofBody = new Set(['content-type', 'content-encoding', 'content-length', 'accept'])

/** The headers of a search, for requests with another body. */
export const headersOfOurs = (headers: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !ofBody.has(name.toLowerCase())))

/** Whether an answer is wanted as JSON: only that can be read. */
export function wantsJson(headers: JsonObject): boolean {
  const [, accept] = Object.entries(headers).find(([name]) => name.toLowerCase() === 'accept') ?? []
  return accept === undefined || /json|\*\/\*/i.test(String(accept))
}

/** The engine behind a client. An error that the engine answered with is an answer here, and the caller's own again at the end. */
export function clientEngine(calls: ClientCalls, index: string | undefined): CallerEngine {
  return {
    search: (change, { signal }) =>
      answerOf(change === undefined ? calls.own(signal) : calls.changed(change, signal)),
    msearch: (legs, options) => askLegs(calls, legs, index, options),
    fieldCaps: (asked, options) => answerOf(calls.fieldCaps(asked, options)),
  }
}

/** The same for an `_msearch` of the caller's. */
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
  // A point in time knows its indices.
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
