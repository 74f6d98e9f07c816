/** What both wrapped clients do with a search: pass it through, or optimize it. */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { z } from 'zod'
import { parseConfig } from '../../../src/config.ts'
import { toError } from '../../../src/errors.ts'
import type { Trace, Turn } from '../../../src/types.ts'
import { isOwnAtOnce, ownRequest } from '../request/first-request.ts'
import { type MsearchCall, optimizedMsearch, understandMsearch } from '../request/optimized-msearch.ts'
import { optimizedSearch } from '../request/optimized-search.ts'
import { createMemory } from '../request/remembered-chat.ts'
import { begunWith } from '../request/resilient-engine.ts'
import { type AppOptions, appSettings, type SearchSettings } from '../request/settings.ts'
import { type SearchCall, understand } from '../request/understand.ts'
import {
  type ClientCalls,
  type ClientEnd,
  type ClientResult,
  clientEngine,
  clientMsearchEngine,
  type MsearchCalls,
} from './client-calls.ts'

export interface ClientOptions extends AppOptions {
  /** Called after each search, those of an `_msearch` one by one: what was done, or why it passed through. What it throws is not heard. */
  readonly onSearch?: ((report: SearchReport) => void) | undefined
}

export interface SearchReport {
  /** Why the search passed through unchanged; absent where it was optimized. */
  readonly passedThrough?: string
  readonly trace?: Trace
  /** Why the engine’s own answer was given, where something of ours failed. */
  readonly error?: Error
}

/** What a single search says of itself: `client.search(parameters, { context: { querent: { … } } })`. */
export interface SearchContextOptions {
  /** The user’s words, for a body with `{{query}}` in it. */
  readonly query?: string
  /** The conversation before them. */
  readonly history?: readonly Turn[]
  /** Whether the answer says what was done, under the key `_querent`. Default: the client’s option. */
  readonly explain?: boolean
  /** `false` lets this search through unchanged. Default: true. */
  readonly optimize?: boolean
}

const contextSchema = z.strictObject({
  query: z.string().exactOptional(),
  history: z.array(z.object({ role: z.enum(['user', 'agent']), text: z.string() })).exactOptional(),
  explain: z.boolean().exactOptional(),
  optimize: z.boolean().exactOptional(),
})

/** Who asks, and what for beside the search itself. */
export interface Asked {
  /** What the request’s `context.querent` holds. */
  readonly context: unknown
  /** Who asks, beside the client itself: what is remembered is remembered for that one. */
  readonly identity: string
  readonly signal: AbortSignal
  /** Whether all of an answer is wanted, and not its body alone. */
  readonly isWhole: boolean
}

/** A wrapped client’s searches, and what they share. Both reject with the client’s own error. */
export interface WrappedSearch {
  search(call: SearchCall, calls: ClientCalls, asked: Asked): Promise<ClientResult>
  msearch(call: MsearchCall, calls: MsearchCalls, asked: Asked): Promise<ClientResult>
  /** Notes that a search passed through. */
  passed(reason: string, error?: Error): void
}

/** @throws QuerentError `bad-config` that names the wrong option */
export function wrappedSearch({ onSearch, ...options }: ClientOptions, where: string): WrappedSearch {
  const load = appSettings(options, where)
  const memory = createMemory()
  let loading: Promise<SearchSettings> | undefined

  function report(what: SearchReport): void {
    try {
      onSearch?.(what)
    } catch {
      // An application’s notes are not worth its search.
    }
  }

  const passed = (passedThrough: string, error?: Error): void =>
    report({ passedThrough, ...(error && { error }) })

  const toldBy = ({ context }: Asked): SearchContextOptions =>
    context === undefined ? {} : parseConfig(contextSchema, context, `${where}: context.querent`)

  /** What is needed to optimize, or nothing where it passed through. */
  async function prepare({ identity, signal }: Asked, told: SearchContextOptions) {
    if (told.optimize === false) return passed('the caller said so')
    try {
      loading ??= load()
      const settings = await loading
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

  return {
    passed,

    async search(call, calls, asked) {
      const told = toldBy(asked)
      const pass = ({ own, changed } = calls): Promise<ClientResult> => {
        const change = ownRequest(call, told.query)
        return change === undefined ? own(asked.signal) : changed(change, asked.signal)
      }
      const context = await prepare(asked, told)
      if (context === undefined) return pass()
      const isTold = told.query !== undefined
      const isSent = isOwnAtOnce(call, isTold, context.settings)
      const sending = isSent ? sentOnce(calls, asked.signal) : calls
      // Clients write in the next turn: what is looked at here takes its time while the engine works.
      if (isSent) await nextTurn()
      const understood = understand(call, told, context.settings)
      if ('reason' in understood) {
        passed(understood.reason)
        return pass(sending)
      }
      const engine = clientEngine(sending, call.index)
      return optimizedSearch(understood, engine, { call, isTold, isSent, ...context }).then(
        ({ own, body, trace, error }) => {
          report({ ...(trace && { trace }), ...(error && { error }) })
          return ended(own, body, asked)
        },
        orAborted(calls, asked.signal),
      )
    },

    async msearch(call, calls, asked) {
      const context = await prepare(asked, toldBy(asked))
      if (context === undefined) return calls.own(asked.signal)
      const understood = understandMsearch(call, context.settings.window)
      if ('reason' in understood) {
        passed(understood.reason)
        return calls.own(asked.signal)
      }
      const engine = clientMsearchEngine(calls, call.items, call.index)
      return optimizedMsearch(call, understood, engine, context).then(
        ({ own, body, optimized }) => {
          for (const one of optimized) {
            if ('reason' in one) passed(one.reason)
            else report({ ...(one.trace && { trace: one.trace }), ...(one.error && { error: one.error }) })
          }
          return ended(own, body, asked)
        },
        orAborted(calls, asked.signal),
      )
    },
  }
}

/** The same calls, of which the caller’s own search is on its way already. */
function sentOnce(calls: ClientCalls, signal: AbortSignal): ClientCalls {
  const first = calls.own(signal)
  first.catch(() => {})
  return { ...calls, own: begunWith(first, calls.own) }
}

/** The client’s own result, with another body where there is one. @throws the client’s own error where it ended so */
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
