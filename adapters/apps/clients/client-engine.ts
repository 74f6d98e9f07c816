/** A search of an official client, as a request that Querent can answer. The client's transport does the rest. */
import { onAbort } from '../../../src/runtime/deadline.ts'
import { jsonOf } from '../../../src/runtime/json.ts'
import type { EngineAnswer } from '../drop-in/answer/engine-answer.ts'
import { isObject, type JsonObject, numberOf } from '../drop-in/parse/json.ts'
import {
  type FieldsRequest,
  type LegsOptions,
  pairsOf,
  pathOfLegs,
  type RequestEngine,
  type SearchItem,
} from '../drop-in/run/caller-engine.ts'

/** A request, as the transports of both clients take it. */
export interface ClientRequest {
  readonly method: string
  readonly path: string
  readonly querystring?: JsonObject | undefined
  readonly body?: unknown
  readonly bulkBody?: unknown
  /** By the name, Elasticsearch's client names its spans. */
  readonly meta?: unknown
}

/** The full result of a client call, not only its body. */
export interface ClientResult {
  readonly body: unknown
  readonly statusCode?: number | null
  readonly headers?: unknown
}

/** Sends a request. Rejects with the client's own error. */
export type SendRequest = (
  request: ClientRequest,
  options: JsonObject,
  signal: AbortSignal,
) => Promise<ClientResult>

/** A call of `search` or `msearch`. */
export interface ClientCall {
  readonly kind: 'search' | 'msearch'
  /** The request that the client would send. */
  readonly request: ClientRequest
  /** The caller's options of the request. */
  readonly options: JsonObject
}

/** What the application's caller finally gets. */
export type ClientEnd = { readonly result: ClientResult } | { readonly error: unknown }

/**
 * The engine behind a client. An error answer of the engine counts as an answer here. In the end, the caller gets it as the client's
 * error.
 *
 * @param forAdded options of requests that Querent adds
 */
export function clientEngine(
  { kind, request, options }: ClientCall,
  send: SendRequest,
  forAdded: JsonObject,
): RequestEngine {
  const ours = ofOurs(options)
  const added = { ...ours, ...forAdded, maxRetries: 0 }
  const before = request.path.replace(/\/_m?search$/, '')

  /** The caller's request with these searches in it. */
  function changed(items: readonly SearchItem[]): ClientRequest {
    if (kind === 'msearch') return { ...request, bulkBody: linesOf(items) }
    const { body, url = {} } = items[0]!
    return { ...request, method: 'POST', querystring: url, body }
  }

  return {
    send: (items, { signal, isLarger }) =>
      answerOf(
        items === undefined
          ? send(request, options, signal)
          : send(changed(items), isLarger ? added : ours, signal),
      ),
    async msearch(legs, { signal, timeout, url }: LegsOptions) {
      const asked = {
        method: 'POST',
        path: pathOfLegs(before, legs),
        querystring: url,
        bulkBody: linesOf(legs),
        meta: { name: 'msearch' },
      }
      // The signal ends the request in time. The client's own timer also runs while this process is too busy to read the answer.
      const { body } = await send(
        asked,
        { ...added, ...(timeout !== undefined && { requestTimeout: 2 * timeout }) },
        signal,
      )
      return isObject(body) ? body.responses : undefined
    },
    fieldCaps: ({ path, url: querystring }: FieldsRequest, { signal, timeout }) =>
      answerOf(send({ method: 'GET', path, querystring }, { ...added, requestTimeout: timeout }, signal)),
  }
}

/** The answer to a request of the client's, which `abort` ends with the signal. */
export async function endingWith<T>(
  signal: AbortSignal,
  abort: () => void,
  answer: () => Promise<T>,
): Promise<T> {
  if (signal.aborted) abort()
  const stopWatching = signal.aborted ? undefined : onAbort(signal, abort)
  try {
    return await answer()
  } finally {
    stopWatching?.()
  }
}

/** Header and body lines in turn. */
const linesOf = (items: readonly SearchItem[]): readonly unknown[] =>
  items.flatMap(({ header, body }) => [header, body])

/** Request headers that describe the search's own body. Another body has the client's own types. */
const ofBody = new Set(['content-type', 'content-encoding', 'content-length', 'accept'])

/** Options for a request with another body, which already contains the parameters of `querystring`. */
export function ofOurs({ querystring: _, headers, ...options }: JsonObject): JsonObject {
  if (!isObject(headers)) return options
  const kept = Object.entries(headers).filter(([name]) => !ofBody.has(name.toLowerCase()))
  return { ...options, headers: Object.fromEntries(kept) }
}

/** Whether the caller accepts JSON: Querent can read nothing else. */
export function wantsJson(headers: JsonObject): boolean {
  const [, accept] = Object.entries(headers).find(([name]) => name.toLowerCase() === 'accept') ?? []
  return accept === undefined || /json|\*\/\*/i.test(String(accept))
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

/** Parses a body that may be a JSON string. Undefined if it is invalid. */
export const parseJson = (body: unknown): unknown => (typeof body === 'string' ? jsonOf(body) : body)

/** Reads header and body lines in turn. Undefined if the lines are not such pairs. */
export function readMsearchLines(written: unknown): readonly SearchItem[] | undefined {
  const lines =
    typeof written === 'string' ? written.split('\n').filter((line) => line.trim() !== '') : written
  return Array.isArray(lines) ? pairsOf(lines, parseJson) : undefined
}
