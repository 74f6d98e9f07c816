/** What a wrapped client does with a search: passes it through or optimizes it. */

import { isQuerentError, toError } from '../../../src/errors.ts'
import { passedThrough, reportSearch, type SearchOutcome } from '../../../src/observe.ts'
import type { GivenTurn } from '../../../src/types.ts'
import { type Hints, readContext } from '../drop-in/parse/caller-context.ts'
import type { RequestEngine, SearchRequest } from '../drop-in/run/caller-engine.ts'
import { filledItems } from '../drop-in/run/filled-items.ts'
import type { AppOptions } from '../drop-in/run/options.ts'
import { appSettings } from '../drop-in/run/settings.ts'
import type { Answering, ClientCaller } from './answering.ts'
import type { ClientEnd, ClientResult } from './client-engine.ts'

/**
 * Options of a single search: `client.search(parameters, { context: querentContext({ … }) })`. What cannot be read is left out, and
 * reported as `leftOut`.
 */
export interface SearchContextOptions {
  /** The query text, for a body with `{{query}}` in it. */
  readonly query?: string | null | undefined
  /** The conversation before the query: turns, or messages as chat servers have them. */
  readonly history?:
    | readonly (GivenTurn | { readonly role: string; readonly content?: unknown })[]
    | null
    | undefined
  /** Whether the answer reports what Querent did, under the key `_querent`. Default: the client's option. */
  readonly explain?: boolean | null | undefined
  /** `false` lets this search through unchanged. Default: true. */
  readonly optimize?: boolean | null | undefined
}

/** The `context` of a request, with the options checked by the compiler: the clients' own type takes anything. */
export const querentContext = (
  options: SearchContextOptions,
): { readonly querent: SearchContextOptions } => ({ querent: options })

/** The caller of a search, and the options beside the search itself. */
interface Asked extends ClientCaller {
  /** The request's `context.querent`. */
  readonly context: unknown
  /** Whether the caller wants the full result, not only its body. */
  readonly isWhole: boolean
}

/** What a wrapped client answers its searches with. */
export type WrappedSearch = ReturnType<typeof wrappedSearch>

/** @throws QuerentError `bad-config` that names the wrong option */
export function wrappedSearch(options: AppOptions, where: string) {
  const load = appSettings(options, where)
  const module = () => import('./answering.ts')
  let loading: Promise<Answering | undefined> | undefined
  // The first search finds it loaded. If that fails, the search learns why.
  if (options.policy !== 'none') module().catch(() => {})

  async function open(): Promise<Answering | undefined> {
    const settings = await load()
    if (settings.isNone) return undefined
    const { answering } = await module()
    return answering(settings, options)
  }

  /** Loads the policy once. A failure may pass, so the next search tries again, unless it is what the file says. */
  function loaded(): Promise<Answering | undefined> {
    loading ??= open().catch((error: unknown) => {
      if (!isQuerentError(error, 'bad-policy')) loading = undefined
      throw error
    })
    return loading
  }

  async function endOf(request: SearchRequest, engine: RequestEngine, asked: Asked, hints: Hints) {
    const { leftOut, optimize } = hints
    const report = (outcome: SearchOutcome, error?: Error): void =>
      reportSearch(options.observe, {
        outcome,
        index: request.index,
        opaqueId: asked.opaqueId,
        ...(error && { error }),
        ...(leftOut.length > 0 && { leftOut }),
      })
    function passed(outcome: SearchOutcome, error?: Error) {
      report(outcome, error)
      return engine.send(filledItems(request), { signal: asked.signal })
    }
    if (optimize === false) return passed(passedThrough('the caller said so'))
    const ready = await loaded().catch(toError)
    if (ready instanceof Error) return passed({ kind: 'failed', reason: 'its policy cannot be read' }, ready)
    if (ready === undefined) return passed(passedThrough('the policy is none'))
    return ready.answer(request, engine, { ...asked, ...hints }, (reason) => report(passedThrough(reason)))
  }

  return {
    /** The options that it was created with. */
    options,
    /** Loads the policy and starts its threads. Rejects if the policy cannot be loaded. */
    warm: async (): Promise<void> => (await loaded())?.warm(),
    /** Rejects with the client's own error. */
    async answer(request: SearchRequest, engine: RequestEngine, asked: Asked): Promise<ClientResult> {
      const hints = readContext(asked.context)
      const { signal } = asked
      const end = await endOf({ ...request, query: hints.query }, engine, asked, hints).catch(
        (thrown: unknown) => {
          // After an abort, the client rejects with its own error and sends nothing.
          if (signal.aborted) return engine.send(undefined, { signal })
          throw thrown
        },
      )
      return ended(end.own as ClientEnd, 'optimized' in end ? end.body : undefined, asked)
    },
  }
}

/**
 * The client's own result, with another body if given.
 *
 * @throws the client's own error if the search failed
 */
function ended(end: ClientEnd, body: unknown, { isWhole }: Asked): ClientResult {
  if ('error' in end) throw end.error
  if (body === undefined) return end.result
  return isWhole ? withBody(end.result, body) : { body }
}

/** Keeps the members that a copy of the values would lose: `warnings` is read from the headers. */
const withBody = (result: ClientResult, body: unknown): ClientResult =>
  Object.assign(Object.create(Object.getPrototypeOf(result), Object.getOwnPropertyDescriptors(result)), {
    body,
  })
