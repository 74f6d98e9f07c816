/** What both wrapped clients do with a search: pass it through, or optimize it. */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { z } from 'zod'
import { parseConfig, turns } from '../../../src/config.ts'
import { toError } from '../../../src/errors.ts'
import { reportSearch } from '../../../src/observe.ts'
import type { GivenTurn, Turn } from '../../../src/types.ts'
import type { EngineAnswer } from '../drop-in/caller-engine.ts'
import type { RewritableSearch, SearchCall } from '../drop-in/parse/parse-search.ts'
import { parseWithMapping } from '../drop-in/parse/parse-with-mapping.ts'
import { createChatCache } from '../drop-in/run/cached-chat.ts'
import { isOwnAtOnce, ownRequest } from '../drop-in/run/first-request.ts'
import { admit, admitEach } from '../drop-in/run/load.ts'
import { type MsearchCall, optimizedMsearch, parseMsearch } from '../drop-in/run/optimized-msearch.ts'
import { optimizedSearch } from '../drop-in/run/optimized-search.ts'
import { begunWith, sendOwn } from '../drop-in/run/resilient-engine.ts'
import { type AppOptions, appSettings, type SearchSettings } from '../drop-in/settings.ts'
import {
  type ClientCalls,
  type ClientEnd,
  type ClientResult,
  clientEngine,
  clientMsearchEngine,
  type MsearchCalls,
} from './client-calls.ts'
import { type ClientRetries, leftToUs } from './client-retries.ts'

/** What a single search says of itself: `client.search(parameters, { context: { querent: { … } } })`. */
export interface SearchContextOptions {
  /** The user's words, for a body with `{{query}}` in it. */
  readonly query?: string
  /** The conversation before them. */
  readonly history?: readonly GivenTurn[]
  /** Whether the answer says what was done, under the key `_querent`. Default: the client's option. */
  readonly explain?: boolean
  /** `false` lets this search through unchanged. Default: true. */
  readonly optimize?: boolean
}

/** The same, checked. */
type Told = Omit<SearchContextOptions, 'history'> & { readonly history?: readonly Turn[] }

const contextSchema = z.strictObject({
  query: z.string().exactOptional(),
  history: turns.exactOptional(),
  explain: z.boolean().exactOptional(),
  optimize: z.boolean().exactOptional(),
})

/** Who asks, and what for beside the search itself. */
export interface Asked {
  /** What the request's `context.querent` holds. */
  readonly context: unknown
  /** Who asks, beside the client itself: what is remembered is remembered for that one. */
  readonly identity: string
  readonly signal: AbortSignal
  /** How often the client itself sends it again. */
  readonly retries: ClientRetries
  /** Whether all of an answer is wanted, and not its body alone. */
  readonly isWhole: boolean
}

/** A wrapped client's searches, and what they share. Both reject with the client's own error. */
export interface WrappedSearch {
  /** What it was made with. */
  readonly options: AppOptions
  search(call: SearchCall, calls: ClientCalls, asked: Asked): Promise<ClientResult>
  msearch(call: MsearchCall, calls: MsearchCalls, asked: Asked): Promise<ClientResult>
  /** Notes that a search passed through. */
  passed(reason: string, error?: Error): void
}

/** @throws QuerentError `bad-config` that names the wrong option */
export function wrappedSearch(options: AppOptions, where: string): WrappedSearch {
  const load = appSettings(options, where)
  const memory = createChatCache()
  let loading: Promise<SearchSettings> | undefined

  const passed = (passedThrough: string, error?: Error): void =>
    reportSearch(options.observe, { passedThrough, ...(error && { error }) })

  const toldBy = ({ context }: Asked): Told =>
    context === undefined ? {} : parseConfig(contextSchema, context, `${where}: context.querent`)

  /** What is needed to optimize, or nothing where it passed through. */
  async function prepare({ identity, signal, retries }: Asked, told: Told) {
    if (told.optimize === false) return passed('the caller said so')
    try {
      loading ??= load()
      const loaded = await loading
      const isRetryable = leftToUs(options.retries, retries)
      const settings = { ...loaded, limits: { ...loaded.limits, isRetryable } }
      if (settings.isNone) return passed('the policy is none')
      const { history, explain = settings.explain } = told
      return { identity, signal, settings, memory, history, explains: explain }
    } catch (error) {
      return passed('its policy cannot be read', toError(error))
    }
  }

  /** Aborted, the client has an error of its own, and sends nothing. */
  const orAborted =
    (calls: { own(signal: AbortSignal): Promise<ClientResult> }, signal: AbortSignal) =>
    (thrown: unknown): Promise<ClientResult> => {
      if (signal.aborted) return calls.own(signal)
      throw thrown
    }

  /** Sends a search that passes through: again, too, where an optimized one would be. */
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
      const told = toldBy(asked)
      const { signal } = asked
      const change = ownRequest(call, told.query)
      const context = await prepare(asked, told)
      if (context === undefined)
        return change === undefined ? calls.own(signal) : calls.changed(change, signal)
      const isTold = told.query !== undefined
      const isSent = isOwnAtOnce(call, isTold, context.settings)
      const sending = isSent ? sentOnce(calls, signal) : calls
      // Clients write in the next turn: what is looked at here takes its time while the engine works.
      if (isSent) await nextTurn()
      const { settings } = context
      const engine = clientEngine(sending, call.index)
      const admitted = admit<RewritableSearch>(settings.load, parseWithMapping(call, told, context, engine))
      if ('reason' in admitted) {
        passed(admitted.reason)
        return passOn(asked, context, calls, (until) => engine.search(change, { signal: until }))
      }
      return optimizedSearch(admitted.understood, engine, { call, isTold, isSent, ...context })
        .finally(admitted.leave)
        .then((one) => ended(one.own, one.body, asked), orAborted(calls, signal))
    },

    async msearch(call, calls, asked) {
      const context = await prepare(asked, toldBy(asked))
      if (context === undefined) return calls.own(asked.signal)
      const engine = clientMsearchEngine(calls, call.items, call.index)
      const understood = parseMsearch(call, (one) => parseWithMapping(one, {}, context, engine))
      const admitted = admitEach(context.settings.load, understood)
      if ('reason' in admitted) {
        passed(admitted.reason)
        const send = (until: AbortSignal) => engine.sendAll(call.items, { signal: until })
        return passOn(asked, context, calls, send)
      }
      return optimizedMsearch(call, admitted.understood, engine, context)
        .finally(admitted.leave)
        .then(
          ({ own, body, optimized }) => {
            for (const one of optimized) if ('reason' in one) passed(one.reason)
            return ended(own, body, asked)
          },
          orAborted(calls, asked.signal),
        )
    },
  }
}

/** The same calls, of which the caller's own search is on its way already. */
function sentOnce(calls: ClientCalls, signal: AbortSignal): ClientCalls {
  const first = calls.own(signal)
  first.catch(() => {})
  return { ...calls, own: begunWith(first, calls.own) }
}

/** The client's own result, with another body where there is one. @throws the client's own error where it ended so */
function ended(own: unknown, body: unknown, { isWhole }: Asked): ClientResult {
  const end = own as ClientEnd
  if ('error' in end) throw end.error
  if (body === undefined) return end.result
  return isWhole ? withBody(end.result, body) : { body }
}

/** What a client gives has members that a copy of its values would not have: `warnings` is read from the headers. */
const withBody = (result: ClientResult, body: unknown): ClientResult =>
  Object.assign(Object.create(Object.getPrototypeOf(result), Object.getOwnPropertyDescriptors(result)), {
    body,
  })
