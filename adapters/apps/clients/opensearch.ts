/**
 * Wraps OpenSearch's official client: optimizes its searches and leaves everything else to the client.
 *
 * @module querent/opensearch
 */
import { fieldsOf } from '../../resilience/retry-after.ts'
import { isObject, type JsonObject, without } from '../drop-in/parse/json.ts'
import { indexText } from '../drop-in/parse/parameters.ts'
import { identityOf, opaqueIdOf } from '../drop-in/run/caller-identity.ts'
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
  child(options?: unknown): Client
  readonly transport: { request(parameters: unknown, options?: unknown): Abortable }
}

type Method = (parameters?: unknown, options?: unknown, callback?: Callback) => Abortable
type Callback = (error: unknown, result: unknown) => void
type Abortable = Promise<ClientResult> & { abort(): void }

/** A parsed call: the client takes its arguments in several forms. */
interface Call {
  readonly parameters: JsonObject
  readonly options: JsonObject
  /** URL parameters. */
  readonly url: JsonObject
  readonly asked: Asked
}

/**
 * Wraps a client. Its `search`, `msearch` and `child` optimize; all other members are the client's own. Searches return promises
 * with `.abort()`, or take callbacks, as the client's own do. A search that cannot be optimized passes through unchanged, and so
 * does every search if Querent fails. Errors are the client's own. Options of a single search, such as `history` and `explain`,
 * go into `context.querent` of its request options.
 *
 * A wrapped client is not wrapped twice. If the options differ, the new ones replace those of the same name. Otherwise the same
 * client is returned.
 *
 * @param client of `@opensearch-project/opensearch` 3
 * @throws QuerentError `bad-config` if `client` is anything else, or for a wrong option, which it names
 */
export function querent<C extends OpenSearchClient>(client: C, options: AppOptions = {}): C {
  checkClient(client, 'opensearch')
  return wrapOnce(client, options, (client, options) =>
    wrap(client as C & Client, wrappedSearch(options, 'querent'), createCallerIds()),
  )
}

function wrap<C extends object>(client: C & Client, wrapped: WrappedSearch, identities: CallerIds): C {
  const who = identities()

  const search = method('search', ({ parameters, options, url, asked }) => {
    return wrapped.search(
      { index: indexText(parameters.index), parameters: url, body: parseJson(parameters.body) },
      {
        own: (signal) => until(client.search(parameters, options), signal),
        changed: ({ url, body }, signal, isLarger) =>
          until(client.search({ ...url, ...indexOf(parameters), body }, ofOurs(options, isLarger)), signal),
        msearch: askLegs(options),
        fieldCaps: askFields(options),
      },
      asked,
    )
  })

  const msearch = method('msearch', ({ parameters, options, url, asked }) => {
    const items = readMsearchLines(parameters.body)
    if (items === undefined) return undefined
    return wrapped.msearch(
      { index: indexText(parameters.index), parameters: url, items },
      {
        own: (signal) => until(client.msearch(parameters, options), signal),
        changed: (body, signal, isLarger) =>
          until(client.msearch({ ...url, ...indexOf(parameters), body }, ofOurs(options, isLarger)), signal),
        msearch: askLegs(options),
        fieldCaps: askFields(options),
      },
      asked,
    )
  })

  /** A method with the client's own signatures. If `run` returns nothing, the client itself is called. */
  function method(name: 'search' | 'msearch', run: (call: Call) => Promise<ClientResult> | undefined) {
    return (...given: readonly unknown[]): unknown => {
      const callback = given.find((one): one is Callback => typeof one === 'function')
      const [parameters, options] = given.filter((one) => one !== callback)
      const call = callOf(parameters ?? {}, options ?? {})
      if (call === undefined) return Reflect.apply(client[name], client, given)
      const { context, headers = {}, maxRetries } = call.options
      const controller = new AbortController()
      const asked = {
        context: isObject(context) ? context.querent : undefined,
        identity: JSON.stringify([
          who,
          identityOf(Object.entries(headers as JsonObject), wrapped.options.identity),
        ]),
        opaqueId: opaqueIdOf(call.options),
        signal: controller.signal,
        retries: { ofClient: fieldsOf(client.transport).maxRetries, ofRequest: maxRetries },
        isWhole: true,
      }
      const result = run({ ...call, asked })
      if (result === undefined) return Reflect.apply(client[name], client, given)
      if (callback === undefined) return Object.assign(result, { abort: () => controller.abort() })
      result.then(
        (value) => process.nextTick(callback, null, value),
        (error: unknown) => process.nextTick(callback, error, metaOf(error)),
      )
      return { abort: () => controller.abort() }
    }
  }

  const askLegs =
    (options: JsonObject) =>
    (
      body: readonly unknown[],
      index: string | undefined,
      { signal, timeout, url }: LegOptions,
    ): Promise<ClientResult> =>
      until(
        client.msearch(
          { ...url, body, ...(index !== undefined && { index }) },
          {
            ...ofOurs(options, true),
            // The signal ends the request in time. The client's own timer also runs while this process is too busy to read the
            // answer.
            ...(timeout !== undefined && { requestTimeout: 2 * timeout }),
          },
        ),
        signal,
      )

  const askFields =
    (options: JsonObject): ClientCalls['fieldCaps'] =>
    ({ path, url: querystring }, { signal, timeout }) =>
      until(
        client.transport.request(
          { method: 'GET', path, querystring },
          {
            ...ofOurs(options, true),
            ...(timeout !== undefined && { requestTimeout: timeout }),
          },
        ),
        signal,
      )

  return overrideMembers(client, {
    [wrapping]: { client, options: wrapped.options } satisfies Wrapping,
    search,
    msearch,
    child: (options?: unknown) => wrap(client.child(options), wrapped, identities),
  })
}

/** Reads a call. Undefined if it cannot be read, or if the caller wants a stream or another format. */
function callOf(parameters: unknown, options: unknown): Omit<Call, 'asked'> | undefined {
  if (!isObject(parameters) || !isObject(options) || options.asStream === true) return undefined
  const { querystring = {}, headers = {} } = options
  if (!isObject(querystring) || !isObject(headers) || !wantsJson(headers)) return undefined
  return { parameters, options, url: { ...without(parameters, 'body', 'index'), ...querystring } }
}

/** Options for a request with another body, which already contains the parameters of `querystring`. */
const ofOurs = ({ querystring: _, headers, ...options }: JsonObject, isSentOnce = false): JsonObject => ({
  ...options,
  ...(isSentOnce && { maxRetries: 0 }),
  ...(isObject(headers) && { headers: headersOfOurs(headers) }),
})

const indexOf = ({ index }: JsonObject): JsonObject => (index === undefined ? {} : { index })

/** What the client passes to a callback beside an error. */
const metaOf = (error: unknown): unknown => (error as { readonly meta?: unknown } | undefined)?.meta

/** The client's promise, aborted with the signal. The client itself takes no signals. */
async function until(asked: Abortable, signal: AbortSignal): Promise<ClientResult> {
  // Returns nothing: Node throws an uncaught exception if a listener returns a promise that rejects, and `asked.abort()` does.
  const abort = (): void => void asked.abort()
  if (signal.aborted) abort()
  else signal.addEventListener('abort', abort)
  try {
    return await asked
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
