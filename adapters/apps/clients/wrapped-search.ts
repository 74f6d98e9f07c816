/** What a wrapped client does with a search: passes it through or optimizes it. */

import { toError } from '../../../src/errors.ts'
import { reportSearch, type SearchOutcome } from '../../../src/observe.ts'
import type { GivenTurn } from '../../../src/types.ts'
import { createCache } from '../../cache/cache.ts'
import { fieldsOf } from '../../resilience/retry-after.ts'
import { isRetryable } from '../../resilience/retryable.ts'
import { passedThrough } from '../drop-in/answer/outcome.ts'
import { type Hints, readContext } from '../drop-in/parse/caller-context.ts'
import { answerRequest, filledItems } from '../drop-in/run/answer-request.ts'
import type { RequestEngine, SearchRequest } from '../drop-in/run/caller-engine.ts'
import { sendOwn } from '../drop-in/run/resilient-engine.ts'
import { type AppOptions, appSettings, type SearchSettings } from '../drop-in/run/settings.ts'
import { warmUp } from '../drop-in/run/warm-up.ts'
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
interface Asked {
  /** The request's `context.querent`. */
  readonly context: unknown
  /** The caller, beside the client itself. Remembered answers are used for this caller only. */
  readonly identity: string
  /** The request's `x-opaque-id`. */
  readonly opaqueId?: string | undefined
  readonly signal: AbortSignal
  /** How often the client itself sends a search again. */
  readonly retries: ClientRetries
  /** Whether the caller wants the full result, not only its body. */
  readonly isWhole: boolean
}

/** What a wrapped client answers its searches with. */
export type WrappedSearch = ReturnType<typeof wrappedSearch>

/** @throws QuerentError `bad-config` that names the wrong option */
export function wrappedSearch(options: AppOptions, where: string) {
  const load = appSettings(options, where)
  const memory = options.cache ?? createCache()
  let loading: Promise<SearchSettings> | undefined

  /** Loads the policy once. A failure may pass, so the next search tries again. */
  function loaded(): Promise<SearchSettings> {
    loading ??= load().catch((error: unknown) => {
      loading = undefined
      throw error
    })
    return loading
  }

  async function endOf(request: SearchRequest, engine: RequestEngine, asked: Asked, hints: Hints) {
    const { identity, signal, retries, opaqueId } = asked
    const { leftOut, history, optimize, explain } = hints
    const report = (outcome: SearchOutcome, error?: Error): void =>
      reportSearch(options.observe, {
        outcome,
        index: request.index,
        opaqueId,
        ...(error && { error }),
        ...(leftOut.length > 0 && { leftOut }),
      })
    function passed(outcome: SearchOutcome, error?: Error) {
      report(outcome, error)
      return engine.send(filledItems(request), { signal })
    }
    if (optimize === false) return passed(passedThrough('the caller said so'))
    const shared = await loaded().catch(toError)
    if (shared instanceof Error)
      return passed({ kind: 'failed', reason: 'its policy cannot be read' }, shared)
    if (shared.isNone) return passed(passedThrough('the policy is none'))
    const limits = { ...shared.limits, isRetryable: leftToUs(options.retries, retries) }
    const answered = await answerRequest(request, engine, {
      settings: { ...shared, limits },
      ...{ identity, signal, memory, history, leftOut, opaqueId },
      explains: explain ?? shared.explain,
    })
    if (!('reason' in answered)) return answered
    report(passedThrough(answered.reason))
    return sendOwn(limits, (until) => engine.send(answered.items, { signal: until }), signal)
  }

  return {
    /** The options that it was created with. */
    options,
    /** Loads the policy and starts its threads. Rejects if the policy cannot be loaded. */
    warm: async (): Promise<void> => warmUp(await loaded()),
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

/** `maxRetries` of the client and of a single request. A value that is not a number counts as unset. */
export interface ClientRetries {
  readonly ofClient: unknown
  readonly ofRequest: unknown
}

/** Statuses that no client retries but that may pass. Clients themselves retry lost connections and 502 to 504. */
const notRetried: ReadonlySet<unknown> = new Set([404, 429, 500])

/**
 * After which failures Querent sends a search again. A caller who set `maxRetries: 0` wants to fail at once. The `retries` of the
 * wrapped client come on top of the client's own, after all failures that may pass.
 *
 * @param retries the option of the wrapped client; undefined if it was not set
 */
export function leftToUs(
  retries: number | undefined,
  { ofClient, ofRequest }: ClientRetries,
): (failure: unknown) => boolean {
  if (ofRequest === 0) return never
  if (retries !== undefined) return isRetryable
  if (typeof ofRequest !== 'number' && ofClient === 0) return never
  return (failure) => notRetried.has(fieldsOf(failure).statusCode) && isRetryable(failure)
}

const never = (): boolean => false
