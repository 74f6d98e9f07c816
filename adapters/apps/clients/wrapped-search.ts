/** What both wrapped clients do with a search: pass it through or optimize it. */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { toError } from '../../../src/errors.ts'
import { reportSearch, type SearchReport } from '../../../src/observe.ts'
import type { GivenTurn } from '../../../src/types.ts'
import { createCache } from '../../cache/cache.ts'
import type { EngineAnswer } from '../drop-in/answer/engine-answer.ts'
import { passedThrough } from '../drop-in/answer/outcome.ts'
import { type Hints, readContext } from '../drop-in/parse/caller-context.ts'
import type { RewritableSearch, SearchCall } from '../drop-in/parse/parse-search.ts'
import { isOwnAtOnce, ownRequest } from '../drop-in/plan/first-request.ts'
import { admit, admitEach } from '../drop-in/run/load.ts'
import {
  type MsearchCall,
  optimizedMsearch,
  ownItems,
  parseMsearch,
} from '../drop-in/run/optimized-msearch.ts'
import { optimizedSearch } from '../drop-in/run/optimized-search.ts'
import { parseWithMapping } from '../drop-in/run/parse-with-mapping.ts'
import { begunWith, sendOwn } from '../drop-in/run/resilient-engine.ts'
import { type AppOptions, appSettings, type SearchSettings } from '../drop-in/run/settings.ts'
import {
  type ClientCalls,
  type ClientEnd,
  type ClientResult,
  clientEngine,
  clientMsearchEngine,
  type MsearchCalls,
} from './client-calls.ts'
import { type ClientRetries, leftToUs } from './client-retries.ts'

/**
 * Options of a single search: `client.search(parameters, { context: { querent: { … } } })`. What cannot be read is left out, and
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

/** The caller of a search, and the options beside the search itself. */
export interface Asked {
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

/** The searches of a wrapped client. Both methods reject with the client's own error. */
export interface WrappedSearch {
  /** The options that it was created with. */
  readonly options: AppOptions
  search(call: SearchCall, calls: ClientCalls, asked: Asked): Promise<ClientResult>
  msearch(call: MsearchCall, calls: MsearchCalls, asked: Asked): Promise<ClientResult>
  /** Reports that a search passed through. */
  passed(reason: string, error?: Error): void
}

/** @throws QuerentError `bad-config` that names the wrong option */
export function wrappedSearch(options: AppOptions, where: string): WrappedSearch {
  const load = appSettings(options, where)
  const memory = options.cache ?? createCache()
  let loading: Promise<SearchSettings> | undefined

  const passed = (reason: string, error?: Error, leftOut: readonly string[] = [], whose: Whose = {}): void =>
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
    if (hints.optimize === false) return passed('the caller said so', undefined, leftOut, whose)
    try {
      const shared = await loaded()
      const isRetryable = leftToUs(options.retries, retries)
      const settings = { ...shared, limits: { ...shared.limits, isRetryable } }
      if (settings.isNone) return passed('the policy is none', undefined, leftOut, whose)
      const { history, explain = settings.explain } = hints
      return { identity, signal, settings, memory, history, explains: explain, leftOut, opaqueId }
    } catch (error) {
      return passed('its policy cannot be read', toError(error), leftOut, whose)
    }
  }

  /** After an abort, the client rejects with its own error and sends nothing. */
  const orAborted =
    (calls: { own(signal: AbortSignal): Promise<ClientResult> }, signal: AbortSignal) =>
    (thrown: unknown): Promise<ClientResult> => {
      if (signal.aborted) return calls.own(signal)
      throw thrown
    }

  /** Sends a search that passes through, with the retries of an optimized one. */
  const passOn = (
    asked: Asked,
    { settings }: { readonly settings: SearchSettings },
    calls: { own(signal: AbortSignal): Promise<ClientResult> },
    send: (signal: AbortSignal) => Promise<EngineAnswer>,
  ): Promise<ClientResult> =>
    sendOwn(settings.limits, send, asked.signal).then(
      ({ own }) => ended(own, undefined, asked),
      orAborted(calls, asked.signal),
    )

  return {
    options,
    passed,

    async search(call, calls, asked) {
      const hints = readContext(asked.context)
      const { signal } = asked
      const change = ownRequest(call, hints.query)
      const whose = { index: call.index, opaqueId: asked.opaqueId }
      const context = await prepare(asked, hints, whose)
      if (context === undefined)
        return change === undefined ? calls.own(signal) : calls.changed(change, signal)
      const isTold = hints.query !== undefined
      const isSent = isOwnAtOnce(call, isTold, context.settings)
      const sending = isSent ? sentOnce(calls, signal) : calls
      // Clients send in the next turn of the event loop. Wait for it: the engine then works while Querent parses the search.
      if (isSent) await nextTurn()
      const { settings } = context
      const engine = clientEngine(sending, call.index)
      const admitted = admit<RewritableSearch>(settings.load, parseWithMapping(call, hints, context, engine))
      if ('reason' in admitted) {
        passed(admitted.reason, undefined, hints.leftOut, whose)
        return passOn(asked, context, calls, (until) => engine.search(change, { signal: until }))
      }
      return optimizedSearch(admitted.understood, engine, { call, isTold, isSent, ...context })
        .finally(admitted.leave)
        .then((one) => ended(one.own, one.body, asked), orAborted(calls, signal))
    },

    async msearch(call, calls, asked) {
      const hints = readContext(asked.context)
      const { signal } = asked
      const told = { ...call, query: hints.query }
      const whose = { index: call.index, opaqueId: asked.opaqueId }
      const context = await prepare(asked, hints, whose)
      const engine = clientMsearchEngine(calls, call.items, call.index)
      const send = (until: AbortSignal) => engine.sendAll(ownItems(told), { signal: until })
      if (context === undefined) return send(signal).then(({ own }) => ended(own, undefined, asked))
      const understood = parseMsearch(told, (one) => parseWithMapping(one, hints, context, engine))
      const admitted = admitEach(context.settings.load, understood)
      if ('reason' in admitted) {
        passed(admitted.reason, undefined, hints.leftOut, whose)
        return passOn(asked, context, calls, send)
      }
      return optimizedMsearch(told, admitted.understood, engine, context)
        .finally(admitted.leave)
        .then(
          ({ own, body, optimized }) => {
            for (const one of optimized)
              if ('reason' in one) passed(one.reason, undefined, hints.leftOut, whose)
            return ended(own, body, asked)
          },
          orAborted(calls, signal),
        )
    },
  }
}

/** The same calls, with the caller's own search already sent. */
function sentOnce(calls: ClientCalls, signal: AbortSignal): ClientCalls {
  const first = calls.own(signal)
  first.catch(() => {})
  return { ...calls, own: begunWith(first, calls.own) }
}

/**
 * The client's own result, with another body if given.
 *
 * @throws the client's own error if the search failed
 */
function ended(own: unknown, body: unknown, { isWhole }: Asked): ClientResult {
  const end = own as ClientEnd
  if ('error' in end) throw end.error
  if (body === undefined) return end.result
  return isWhole ? withBody(end.result, body) : { body }
}

/** Keeps the members that a copy of the values would lose: `warnings` is read from the headers. */
const withBody = (result: ClientResult, body: unknown): ClientResult =>
  Object.assign(Object.create(Object.getPrototypeOf(result), Object.getOwnPropertyDescriptors(result)), {
    body,
  })
