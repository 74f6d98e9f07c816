/** Wraps an official client: its `search`, `msearch` and `child` optimize, and all other members are the client's own. */
import { isObject, type JsonObject } from '../drop-in/parse/json.ts'
import type { SearchItem } from '../drop-in/run/caller-engine.ts'
import { identityOf, opaqueIdOf } from '../drop-in/run/caller-identity.ts'
import type { AppOptions } from '../drop-in/run/settings.ts'
import { checkClient } from './check-client.ts'
import { type ClientCall, type ClientResult, clientEngine, type SendRequest } from './client-engine.ts'
import { parseJson, readMsearchLines } from './ndjson.ts'
import { overrideMembers } from './override-members.ts'
import { type Wrapping, wrapOnce, wrapping } from './wrap-once.ts'
import { type WrappedSearch, wrappedSearch } from './wrapped-search.ts'

/** What a wrapped client has beside the members of its client. */
export interface Warm {
  /** Loads the policy and starts its threads, so that the first search does not wait for that. Rejects if that fails. */
  warm(): Promise<void>
}

/** A call of one of the client's methods. */
export interface Called extends ClientCall {
  readonly index: string | undefined
  readonly signal: AbortSignal
  /** Whether the caller wants the full result, not only its body. */
  readonly isWhole: boolean
}

/** How one official client differs from the other. */
export interface Dialect<Client> {
  readonly engine: 'elasticsearch' | 'opensearch'
  sendBy(client: Client): SendRequest
  /** The options of requests that Querent adds. */
  readonly forAdded: JsonObject
  /** The client's `maxRetries`. Undefined if it has none. */
  maxRetriesOf(client: Client): unknown
  /**
   * A method with the client's own signatures.
   *
   * @param answer answers a call; undefined if it cannot be read: then the client's own method is called
   */
  method(
    client: Client,
    kind: 'search' | 'msearch',
    answer: (called: Called) => Promise<ClientResult> | undefined,
  ): unknown
}

/** @throws QuerentError `bad-config` if `client` is no client of the dialect, or for a wrong option, which it names */
export function wrapClient<C extends object>(
  given: C,
  options: AppOptions,
  dialect: Dialect<never>,
): C & Warm {
  checkClient(given, dialect.engine)
  return wrapOnce(given, options, (client, options) => {
    let callers = 0
    return wrap(client, dialect, wrappedSearch(options, 'querent'), () => callers++)
  }) as C & Warm
}

/** @param nextId an id for each client and each of its children: what is remembered for one is never used for another */
function wrap<C extends object>(
  client: C,
  dialect: Dialect<never>,
  wrapped: WrappedSearch,
  nextId: () => number,
): C {
  const who = nextId()
  const own = client as never
  const send = dialect.sendBy(own)

  function answer(called: Called): Promise<ClientResult> | undefined {
    const { kind, request, options, index, signal, isWhole } = called
    const items = itemsOf(called)
    if (items === undefined) return undefined
    const { context, headers, maxRetries } = options
    return wrapped.answer(
      { kind, index, parameters: request.querystring ?? {}, items },
      clientEngine(called, send, dialect.forAdded),
      {
        context: isObject(context) ? context.querent : undefined,
        identity: JSON.stringify([
          who,
          identityOf(Object.entries(isObject(headers) ? headers : {}), wrapped.options.identity),
        ]),
        opaqueId: opaqueIdOf(options),
        signal,
        retries: { ofClient: dialect.maxRetriesOf(own), ofRequest: maxRetries },
        isWhole,
      },
    )
  }

  const { child } = client as { child?(options?: unknown): C }
  return overrideMembers(client, {
    [wrapping]: { client, options: wrapped.options } satisfies Wrapping,
    search: dialect.method(own, 'search', answer),
    msearch: dialect.method(own, 'msearch', answer),
    child: (options?: unknown) => wrap(Reflect.apply(child!, client, [options]), dialect, wrapped, nextId),
    warm: wrapped.warm,
  })
}

/** The searches of a call. Undefined if the lines of an `_msearch` cannot be read. */
const itemsOf = ({ kind, request }: ClientCall): readonly SearchItem[] | undefined =>
  kind === 'search' ? [{ header: {}, body: parseJson(request.body) }] : readMsearchLines(request.bulkBody)
