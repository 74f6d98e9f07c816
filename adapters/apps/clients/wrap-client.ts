/** Wraps an official client, once: its `search`, `msearch` and `child` optimize, and all other members are the client's own. */

import { QuerentError } from '../../../src/errors.ts'
import { fieldsOf } from '../../resilience/retry-after.ts'
import { isObject, type JsonObject } from '../drop-in/parse/json.ts'
import type { SearchItem } from '../drop-in/run/caller-engine.ts'
import { headerIn, identityOf, opaqueIdOf } from '../drop-in/run/caller-identity.ts'
import type { AppOptions } from '../drop-in/run/options.ts'
import {
  type ClientCall,
  type ClientResult,
  clientEngine,
  parseJson,
  readMsearchLines,
  type SendRequest,
} from './client-engine.ts'
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
        header: (name) => headerIn(headers, name)?.toString(),
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

const clients = {
  elasticsearch: '@elastic/elasticsearch 8 or 9',
  opensearch: '@opensearch-project/opensearch 3',
} as const

/** The engine of a client, recognized by members that the other client does not have. Undefined if it has neither. */
function engineOf(client: unknown): keyof typeof clients | undefined {
  const { diagnostic, createPit } = fieldsOf(client)
  if (diagnostic !== undefined) return 'elasticsearch'
  return createPit === undefined ? undefined : 'opensearch'
}

/** @throws QuerentError `bad-config` if the object is not a client of that engine, with the right import for the other client */
function checkClient(client: unknown, engine: keyof typeof clients): void {
  const found = engineOf(client)
  if (found !== undefined && found !== engine) {
    throw new QuerentError('bad-config', `querent/${engine} was given a client of ${clients[found]}`, {
      remedy: `Import querent from 'querent/${found}'.`,
    })
  }
  const missing = ['search', 'msearch', 'child'].filter(
    (name) => typeof fieldsOf(client)[name] !== 'function',
  )
  if (missing.length === 0 && (found === engine || engine === 'opensearch')) return
  const lacks = missing.length === 0 ? '' : `: it has no ${missing.join(', ')}`
  throw new QuerentError(
    'bad-config',
    `querent/${engine} was given no client of ${clients[engine]}${lacks}`,
    {
      remedy: 'Pass a `new Client({ … })` of that package.',
    },
  )
}

/** A wrapped client keeps its original client and options under this symbol. All copies of the package share it. */
const wrapping: unique symbol = Symbol.for('querent.wrapping')

interface Wrapping {
  readonly client: object
  readonly options: AppOptions
}

/**
 * Wraps a client. A wrapped client is returned unchanged. If options differ, its original client is wrapped with the new options
 * in place of those of the same name.
 */
function wrapOnce<C extends object>(
  given: C,
  options: AppOptions,
  wrap: (client: C, options: AppOptions) => C,
): C {
  const made = Reflect.get(given, wrapping) as Wrapping | undefined
  if (made === undefined) return wrap(given, options)
  const known = new Map<string, unknown>(Object.entries(made.options))
  const other = Object.entries(options).filter(
    ([name, value]) => value !== undefined && value !== known.get(name),
  )
  if (other.length === 0) return given
  return wrap(made.client as C, { ...made.options, ...Object.fromEntries(other) })
}

/**
 * Replaces some members of a client. All others stay the client's own.
 *
 * If the application later sets one of these members (a spy, an instrumentation), the new value hides Querent's member and does
 * not reach the client. Querent's members call the client's: a spy around Querent's member, set on the client, would make it call
 * itself.
 */
export function overrideMembers<C extends object>(client: C, members: object): C {
  const own: object = Object.create(Object.assign(Object.create(null), members))
  const holder = (property: PropertyKey): object => (property in own ? own : client)
  return new Proxy(client, {
    get: (_, property) => Reflect.get(holder(property), property),
    set: (_, property, value) => Reflect.set(holder(property), property, value),
    defineProperty: (_, property, descriptor) =>
      Reflect.defineProperty(holder(property), property, descriptor),
    getOwnPropertyDescriptor(_, property) {
      const descriptor = Reflect.getOwnPropertyDescriptor(client, property)
      if (descriptor === undefined || !(property in own)) return descriptor
      return { ...descriptor, value: Reflect.get(own, property) }
    },
    deleteProperty: (_, property) => Reflect.deleteProperty(holder(property), property),
  })
}
