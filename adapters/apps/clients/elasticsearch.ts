/**
 * Wraps Elasticsearch's official client: optimizes its searches and leaves everything else to the client.
 *
 * @module querent/elasticsearch
 */

import { isObject, type JsonObject, numberOf } from '../drop-in/parse/json.ts'
import { indexText } from '../drop-in/parse/parameters.ts'
import type { AppOptions } from '../drop-in/run/options.ts'
import { type ClientRequest, type ClientResult, endingWith, wantsJson } from './client-engine.ts'
import { type Dialect, type Warm, wrapClient } from './wrap-client.ts'

export type { TextFields } from '../drop-in/parse/field-kinds.ts'
export type { AppOptions, Rule } from '../drop-in/run/options.ts'
export type { RolloutOptions, ShareOptions } from '../drop-in/run/rollout.ts'
export type { ShadowOptions } from '../drop-in/run/shadow.ts'
export type { Warm } from './wrap-client.ts'
export { querentContext, type SearchContextOptions } from './wrapped-search.ts'

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
  readonly transport: { request(request: Request, options?: JsonObject): Promise<ClientResult> }
}

type Method = (parameters?: unknown, options?: Options) => Promise<unknown>

type Options = JsonObject & { readonly signal?: AbortSignal }

interface Request extends ClientRequest {
  readonly meta?: { readonly pathParts?: { readonly index?: unknown } }
}

/**
 * Wraps a client. Its `search`, `msearch` and `child` optimize; all other members are the client's own. A search that cannot be
 * optimized passes through unchanged, and so does every search if Querent fails. Errors are the client's own. Options of a single
 * search, such as `history` and `explain`, go into `context.querent` of its request options: {@link querentContext}.
 *
 * A wrapped client is not wrapped twice. If the options differ, the new ones replace those of the same name. Otherwise the same
 * client is returned.
 *
 * @param client of `@elastic/elasticsearch`, 8 or 9
 * @throws QuerentError `bad-config` if `client` is anything else, or for a wrong option, which it names
 */
export function querent<C extends ElasticsearchClient>(client: C, options: AppOptions = {}): C & Warm {
  return wrapClient(client, options, dialect)
}

const most = 64 * 1024 * 1024

const dialect: Dialect<Client> = {
  engine: 'elasticsearch',
  // The application's limits are for its own answers. Where an answer of less than 64 kB says that it is longer than they allow,
  // version 9.4 of the transport ends the process by an uncaught error.
  forAdded: { maxResponseSize: most, maxCompressedResponseSize: most },
  // With a signal of its own: the client dispatches `abort` on the signal of a request that took too long, which would end whatever
  // else listens to that signal. And it takes an abort with a reason for a broken connection, and avoids the node.
  sendBy: (client) => (request, options, signal) => {
    const own = new AbortController()
    const given = { ...options, meta: true, signal: own.signal }
    return endingWith(
      signal,
      () => own.abort(),
      () => client.transport.request(request as Request, given),
    )
  },
  /** The transport keeps it under a symbol. */
  maxRetriesOf({ transport }) {
    const symbol = Object.getOwnPropertySymbols(transport).find(
      ({ description }) => description === 'max retries',
    )
    return symbol && numberOf(Reflect.get(transport, symbol))
  },
  method(client, kind, answer) {
    const keeper = keeperOf(client)
    return async (parameters?: unknown, options: Options = {}): Promise<unknown> => {
      const request = await requestOf(keeper, kind, parameters, options)
      const isWhole = options.meta === true
      const answering =
        request &&
        answer({
          kind,
          request,
          options,
          index: indexText(request.meta?.pathParts?.index),
          signal: options.signal ?? new AbortController().signal,
          isWhole,
        })
      if (answering === undefined) return client[kind](parameters, options)
      const result = await answering
      return isWhole ? result : result.body
    }
  },
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
  { asStream = false, querystring, headers }: Options,
): Promise<Request | undefined> {
  if (asStream === true || !wantsJson(isObject(headers) ? headers : {})) return undefined
  try {
    const request = (await keeper[method](parameters)) as Request
    // A `search` that the application put in place of the client's returns an answer.
    if (typeof request?.path !== 'string') return undefined
    return isObject(querystring)
      ? { ...request, querystring: { ...request.querystring, ...querystring } }
      : request
  } catch {
    return undefined
  }
}
