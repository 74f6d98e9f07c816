/** What a wrapped client does with a search: passes it through or optimizes it. */

import { toError } from '../../../src/errors.ts'
import { reportSearch, type SearchReport } from '../../../src/observe.ts'
import type { GivenTurn } from '../../../src/types.ts'
import { createCache } from '../../cache/cache.ts'
import { passedThrough } from '../drop-in/answer/outcome.ts'
import { type Hints, readContext } from '../drop-in/parse/caller-context.ts'
import { answerRequest, filledItems } from '../drop-in/run/answer-request.ts'
import type { RequestEngine, SearchRequest } from '../drop-in/run/caller-engine.ts'
import { sendOwn } from '../drop-in/run/resilient-engine.ts'
import { type AppOptions, appSettings, type SearchSettings } from '../drop-in/run/settings.ts'
import { warmUp } from '../drop-in/run/warm-up.ts'
import type { ClientEnd, ClientResult } from './client-engine.ts'
import { type ClientRetries, leftToUs } from './client-retries.ts'

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

type Whose = Pick<SearchReport, 'index' | 'opaqueId'>

/** The searches of a wrapped client. */
export interface WrappedSearch {
  /** The options that it was created with. */
  readonly options: AppOptions
  /** Rejects with the client's own error. */
  answer(request: SearchRequest, engine: RequestEngine, asked: Asked): Promise<ClientResult>
  /** Loads the policy and starts its threads. Rejects if the policy cannot be loaded. */
  warm(): Promise<void>
}

/** @throws QuerentError `bad-config` that names the wrong option */
export function wrappedSearch(options: AppOptions, where: string): WrappedSearch {
  const load = appSettings(options, where)
  const memory = options.cache ?? createCache()
  let loading: Promise<SearchSettings> | undefined

  const passed = (reason: string, leftOut: readonly string[], whose: Whose, error?: Error): void =>
    reportSearch(options.observe, {
      outcome: error === undefined ? passedThrough(reason) : { kind: 'failed', reason },
      ...whose,
      ...(error && { error }),
      ...(leftOut.length > 0 && { leftOut }),
    })

  /** Loads the policy once. A failure may pass, so the next search tries again. */
  function loaded(): Promise<SearchSettings> {
    loading ??= load().catch((error: unknown) => {
      loading = undefined
      throw error
    })
    return loading
  }

  /** Prepares what optimization needs. Undefined if the search passes through. */
  async function prepare({ identity, signal, retries, opaqueId }: Asked, hints: Hints, whose: Whose) {
    const { leftOut } = hints
    if (hints.optimize === false) return passed('the caller said so', leftOut, whose)
    try {
      const shared = await loaded()
      const isRetryable = leftToUs(options.retries, retries)
      const settings = { ...shared, limits: { ...shared.limits, isRetryable } }
      if (settings.isNone) return passed('the policy is none', leftOut, whose)
      const { history, explain = settings.explain } = hints
      return { identity, signal, settings, memory, history, explains: explain, leftOut, opaqueId }
    } catch (error) {
      return passed('its policy cannot be read', leftOut, whose, toError(error))
    }
  }

  async function endOf(request: SearchRequest, engine: RequestEngine, asked: Asked, hints: Hints) {
    const { signal } = asked
    const whose = { index: request.index, opaqueId: asked.opaqueId }
    const context = await prepare(asked, hints, whose)
    if (context === undefined) return engine.send(filledItems(request), { signal })
    const answered = await answerRequest(request, engine, context)
    if (!('reason' in answered)) return answered
    passed(answered.reason, hints.leftOut, whose)
    return sendOwn(context.settings.limits, (until) => engine.send(answered.items, { signal: until }), signal)
  }

  return {
    options,
    warm: async () => warmUp(await loaded()),
    async answer(request, engine, asked) {
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
