/**
 * Wraps Elasticsearch's official client: optimizes its searches and leaves everything else to the client.
 *
 * @module querent/elasticsearch
 */

import { onAbort } from '../../../src/runtime/deadline.ts'
import { type JsonObject, numberOf } from '../drop-in/parse/json.ts'
import { indexText } from '../drop-in/parse/parameters.ts'
import { identityOf as identityOfCaller, opaqueIdOf } from '../drop-in/run/caller-identity.ts'
import type { AppOptions } from '../drop-in/run/settings.ts'
import { type CallerIds, createCallerIds } from './caller-ids.ts'
import { checkClient } from './check-client.ts'
import {
  type ClientCalls,
  type ClientResult,
  headersOfOurs,
  type LegOptions,
  wantsJson,
} from './client-calls.ts'
import { parseJson, readMsearchLines } from './ndjson.ts'
import { overrideMembers } from './override-members.ts'
import { type Wrapping, wrapOnce, wrapping } from './wrap-once.ts'
import { type Asked, type WrappedSearch, wrappedSearch } from './wrapped-search.ts'

export type { TextFields } from '../drop-in/parse/text-fields.ts'
export type { AppOptions } from '../drop-in/run/settings.ts'
export type { SearchContextOptions } from './wrapped-search.ts'

/** A client of `@elastic/elasticsearch` 8 or 9, recognized by members that no other client has. */
export interface ElasticsearchClient {
  search(...given: never): Promise<unknown>
  msearch(...given: never): Promise<unknown>
  child(...given: never): object
  readonly transport: object
  readonly diagnostic: object
}

/** The members that Querent uses. */
interface Client {
  search: Method
  msearch: Method
  child(options?: unknown): Client
  readonly transport: { request(request: Request, options?: Options): Promise<unknown> }
}

type Method = (parameters?: unknown, options?: Options) => Promise<unknown>

interface Options {
  readonly signal?: AbortSignal
  readonly meta?: boolean
  readonly asStream?: boolean
  readonly headers?: JsonObject
  /** In addition to the parameters. */
  readonly querystring?: JsonObject
  readonly context?: unknown
  readonly [key: string]: unknown
}

interface Request {
  readonly path: string
  readonly method: string
  readonly querystring?: JsonObject
  readonly body?: unknown
  readonly bulkBody?: unknown
  readonly meta?: { readonly pathParts?: { readonly index?: unknown } }
}

/**
 * Wraps a client. Its `search`, `msearch` and `child` optimize; all other members are the client's own. A search that cannot be
 * optimized passes through unchanged, and so does every search if Querent fails. Errors are the client's own. Options of a single
 * search, such as `history` and `explain`, go into `context.querent` of its request options.
 *
 * A wrapped client is not wrapped twice. If the options differ, the new ones replace those of the same name. Otherwise the same
 * client is returned.
 *
 * @param client of `@elastic/elasticsearch`, 8 or 9
 * @throws QuerentError `bad-config` if `client` is anything else, or for a wrong option, which it names
 */
export function querent<C extends ElasticsearchClient>(client: C, options: AppOptions = {}): C {
  checkClient(client, 'elasticsearch')
  return wrapOnce(client, options, (client, options) =>
    wrap(client as C & Client, wrappedSearch(options, 'querent'), createCallerIds()),
  )
}

function wrap<C extends object>(client: C & Client, wrapped: WrappedSearch, identities: CallerIds): C {
  const who = identities()
  const identityOf = ({ headers = {} }: Options): string =>
    JSON.stringify([who, identityOfCaller(Object.entries(headers), wrapped.options.identity)])
  const asWritten = keeperOf(client)
  const maxRetries = maxRetriesOf(client.transport)

  async function search(parameters?: unknown, options: Options = {}): Promise<unknown> {
    const written = await requestOf(asWritten, 'search', parameters, options)
    if (written === undefined) return client.search(parameters, options)
    const { index, url } = partsOf(written)
    const result = await wrapped.search(
      { index, parameters: url, body: parseJson(written.body) },
      {
        own: (signal) => request(written, options, signal),
        changed: ({ body, url: querystring }, signal, isLarger) =>
          request(
            { ...written, method: 'POST', querystring, body },
            (isLarger ? ofAdded : ofOurs)(options),
            signal,
          ),
        msearch: askLegs(options),
        fieldCaps: askFields(options),
      },
      askedBy(options, identityOf(options), maxRetries),
    )
    return options.meta === true ? result : result.body
  }

  async function msearch(parameters?: unknown, options: Options = {}): Promise<unknown> {
    const written = await requestOf(asWritten, 'msearch', parameters, options)
    const items = readMsearchLines(written?.bulkBody)
    if (written === undefined || items === undefined) return client.msearch(parameters, options)
    const { index, url } = partsOf(written)
    const result = await wrapped.msearch(
      { index, parameters: url, items },
      {
        own: (signal) => request(written, options, signal),
        changed: (lines, signal, isLarger) =>
          request({ ...written, bulkBody: lines }, (isLarger ? ofAdded : ofOurs)(options), signal),
        msearch: askLegs(options),
        fieldCaps: askFields(options),
      },
      askedBy(options, identityOf(options), maxRetries),
    )
    return options.meta === true ? result : result.body
  }

  const request = (sent: Request, options: Options, signal: AbortSignal): Promise<ClientResult> =>
    withOwnSignal(signal, (own) => client.transport.request(sent, { ...options, meta: true, signal: own }))

  const askLegs =
    (options: Options) =>
    (
      searches: readonly unknown[],
      index: string | undefined,
      { signal, timeout, url }: LegOptions,
    ): Promise<ClientResult> =>
      withOwnSignal(signal, (own) =>
        client.msearch(
          { searches, ...url, ...(index !== undefined && { index }) },
          {
            ...ofAdded(options),
            // The signal ends the request in time. The client's own timer also runs while this process is too busy to read the
            // answer.
            ...(timeout !== undefined && { requestTimeout: 2 * timeout }),
            meta: true,
            signal: own,
          },
        ),
      )

  const askFields =
    (options: Options): ClientCalls['fieldCaps'] =>
    ({ path, url: querystring }, { signal, timeout }) =>
      request(
        { method: 'GET', path, querystring },
        {
          ...ofAdded(options),
          ...(timeout !== undefined && { requestTimeout: timeout }),
        },
        signal,
      )

  return overrideMembers(client, {
    [wrapping]: { client, options: wrapped.options } satisfies Wrapping,
    search,
    msearch,
    child: (options?: unknown) => wrap(client.child(options), wrapped, identities),
  })
}

/** The client with a transport that sends nothing: its methods return the request that they would send. */
function keeperOf(client: Client): Client {
  const transport = { request: async (request: Request) => request }
  return Object.create(client, { transport: { value: transport } })
}

/**
 * The request that the client would send. Undefined if the client refuses the parameters, or if the caller wants a stream or
 * another format.
 */
async function requestOf(
  keeper: Client,
  method: 'search' | 'msearch',
  parameters: unknown,
  { asStream = false, querystring, headers = {} }: Options,
): Promise<Request | undefined> {
  if (asStream || !wantsJson(headers)) return undefined
  try {
    const request = (await keeper[method](parameters)) as Request
    // A `search` that the application put in place of the client's returns an answer.
    if (typeof request?.path !== 'string') return undefined
    return querystring === undefined
      ? request
      : { ...request, querystring: { ...request.querystring, ...querystring } }
  } catch {
    return undefined
  }
}

const partsOf = ({ meta, querystring = {} }: Request): { index: string | undefined; url: JsonObject } => ({
  index: indexText(meta?.pathParts?.index),
  url: querystring,
})

/** @returns a signal that never aborts, for callers that pass none */
const never = (): AbortSignal => new AbortController().signal

const askedBy = (
  { context, signal = never(), meta = false, maxRetries, opaqueId, headers }: Options,
  identity: string,
  ofClient: number | undefined,
): Asked => ({
  context: (context as { readonly querent?: unknown } | undefined)?.querent,
  identity,
  opaqueId: opaqueIdOf({ opaqueId, headers }),
  signal,
  retries: { ofClient, ofRequest: maxRetries },
  isWhole: meta,
})

/** The client's `maxRetries`, which its transport keeps under a symbol. Undefined if it has none. */
function maxRetriesOf(transport: object): number | undefined {
  const symbol = Object.getOwnPropertySymbols(transport).find(
    ({ description }) => description === 'max retries',
  )
  return symbol && numberOf(Reflect.get(transport, symbol))
}

/** Options for a request with another body, which already contains the parameters of `querystring`. */
const ofOurs = ({ querystring: _, headers, ...options }: Options): Options => ({
  ...options,
  ...(headers && { headers: headersOfOurs(headers) }),
})

/**
 * The same for a request that Querent adds, which is sent once. The application's limits are for its own answers. Where an answer of
 * less than 64 kB says that it is longer than they allow, version 9.4 of the transport ends the process by an uncaught error.
 */
const ofAdded = (options: Options): Options => {
  const most = 64 * 1024 * 1024
  return { ...ofOurs(options), maxRetries: 0, maxResponseSize: most, maxCompressedResponseSize: most }
}

/**
 * Sends a request, with `meta`, and with a signal of its own. The client dispatches `abort` on the signal of a request that took
 * too long, which would end whatever else listens to that signal. And it takes an abort with a reason for a broken connection, and
 * avoids the node.
 */
async function withOwnSignal(
  signal: AbortSignal,
  send: (own: AbortSignal) => Promise<unknown>,
): Promise<ClientResult> {
  const controller = new AbortController()
  const abort = (): void => controller.abort()
  if (signal.aborted) abort()
  const stopWatching = signal.aborted ? undefined : onAbort(signal, abort)
  try {
    return (await send(controller.signal)) as ClientResult
  } finally {
    stopWatching?.()
  }
}
