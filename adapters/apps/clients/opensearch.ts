/**
 * Wraps OpenSearch's official client: optimizes its searches and leaves everything else to the client.
 *
 * @module querent/opensearch
 */
import { fieldsOf } from '../../resilience/retry-after.ts'
import { isObject, type JsonObject, without } from '../drop-in/parse/json.ts'
import { indexText } from '../drop-in/parse/parameters.ts'
import type { AppOptions } from '../drop-in/run/options.ts'
import { type ClientRequest, type ClientResult, endingWith, wantsJson } from './client-engine.ts'
import { type Called, type Dialect, type Warm, wrapClient } from './wrap-client.ts'

export type { TextFields } from '../drop-in/parse/field-kinds.ts'
export type { AppOptions, Rule } from '../drop-in/run/options.ts'
export type { RolloutOptions, ShareOptions } from '../drop-in/run/rollout.ts'
export type { ShadowOptions } from '../drop-in/run/shadow.ts'
export type { Warm } from './wrap-client.ts'
export { querentContext, type SearchContextOptions } from './wrapped-search.ts'

/** A client of `@opensearch-project/opensearch` 3, recognized by members that no other client has. */
export interface OpenSearchClient {
  search(...given: never): unknown
  msearch(...given: never): unknown
  child(...given: never): object
  createPit(...given: never): unknown
}

/** The members that Querent uses. */
interface Client {
  search: Method
  msearch: Method
  readonly transport: { request(request: ClientRequest, options?: JsonObject): Abortable }
}

type Method = (parameters?: unknown, options?: unknown, callback?: Callback) => Abortable
type Callback = (error: unknown, result: unknown) => void
type Abortable = Promise<ClientResult> & { abort(): void }

/**
 * Wraps a client. Its `search`, `msearch` and `child` optimize; all other members are the client's own. Searches return promises
 * with `.abort()`, or take callbacks, as the client's own do. A search that cannot be optimized passes through unchanged, and so
 * does every search if Querent fails. Errors are the client's own. Options of a single search, such as `history` and `explain`,
 * go into `context.querent` of its request options: {@link querentContext}.
 *
 * A wrapped client is not wrapped twice. If the options differ, the new ones replace those of the same name. Otherwise the same
 * client is returned.
 *
 * @param client of `@opensearch-project/opensearch` 3
 * @throws QuerentError `bad-config` if `client` is anything else, or for a wrong option, which it names
 */
export function querent<C extends OpenSearchClient>(client: C, options: AppOptions = {}): C & Warm {
  return wrapClient(client, options, dialect)
}

const dialect: Dialect<Client> = {
  engine: 'opensearch',
  forAdded: {},
  // The client itself takes no signals. Its transport writes into the request that it is given, which may be sent again.
  sendBy: (client) => (request, options, signal) => {
    const asked = client.transport.request({ ...request }, options)
    // Returns nothing: Node throws an uncaught exception if a listener returns a promise that rejects, and `asked.abort()` does.
    return endingWith(
      signal,
      () => void asked.abort(),
      () => asked,
    )
  },
  maxRetriesOf: ({ transport }) => fieldsOf(transport).maxRetries,
  method:
    (client, kind, answer) =>
    (...given: readonly unknown[]): unknown => {
      const callback = given.find((one): one is Callback => typeof one === 'function')
      const [parameters, options] = given.filter((one) => one !== callback)
      const call = callOf(kind, parameters ?? {}, options ?? {})
      const controller = new AbortController()
      const result = call && answer({ ...call, signal: controller.signal, isWhole: true })
      if (result === undefined) return Reflect.apply(client[kind], client, given)
      const abort = (): void => controller.abort()
      if (callback === undefined) return Object.assign(result, { abort })
      result.then(
        (value) => process.nextTick(callback, null, value),
        (error: unknown) => process.nextTick(callback, error, metaOf(error)),
      )
      return { abort }
    },
}

/** Reads a call. Undefined if it cannot be read, or if the caller wants a stream or another format. */
function callOf(
  kind: Called['kind'],
  parameters: unknown,
  options: unknown,
): Omit<Called, 'signal' | 'isWhole'> | undefined {
  if (!isObject(parameters) || !isObject(options) || options.asStream === true) return undefined
  const { querystring = {}, headers = {} } = options
  if (!isObject(querystring) || !isObject(headers) || !wantsJson(headers)) return undefined
  const { body } = parameters
  const index = indexText(parameters.index)
  return {
    kind,
    options,
    index,
    request: {
      method: body ? 'POST' : 'GET',
      path: `${index === undefined ? '' : `/${encodeURIComponent(index)}`}/_${kind}`,
      querystring: { ...without(parameters, 'body', 'index'), ...querystring },
      ...(kind === 'search' ? { body: body ?? '' } : { bulkBody: body }),
    },
  }
}

/** What the client passes to a callback beside an error. */
const metaOf = (error: unknown): unknown => (error as { readonly meta?: unknown } | undefined)?.meta
