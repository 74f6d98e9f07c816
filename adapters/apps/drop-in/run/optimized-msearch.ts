/**
 * Optimizes an `_msearch` of an application. Querent sends all of its searches in one `_msearch`, unchanged or changed. Then it
 * sends one more for each search that the policy rewrites. The answer has the engine's own responses, except for the optimized
 * searches.
 */

import { setMaxListeners } from 'node:events'
import { QuerentError, toError } from '../../../../src/errors.ts'
import { systemClock } from '../../../../src/runtime/clock.ts'
import { openDeadline } from '../../../../src/runtime/deadline.ts'
import { isRetryable } from '../../../resilience/retryable.ts'
import { AnswerError, type EngineAnswer } from '../answer/engine-answer.ts'
import { isObject, type JsonObject, numberOf, only } from '../parse/json.ts'
import type { RewritableSearch } from '../parse/parse-search.ts'
import type { CallerEngine, EngineLeg, RequestEngine, SearchItem } from './caller-engine.ts'
import type { Optimized } from './optimized-search.ts'
import { type EngineLimits, orOwn, sendOwn } from './resilient-engine.ts'

/** The answer to a request. `optimized` has one entry per search: why it passed through, or what was done. */
export interface Answered {
  readonly own: unknown
  readonly body?: JsonObject
  readonly optimized: readonly (Optimized | { readonly reason: string })[]
}

/** Optimizes the search at this place of a request, of which the engine gets the caller's own as `search` sends it. */
export type Optimize = (
  understood: RewritableSearch,
  place: number,
  engine: Pick<CallerEngine, 'search'> & Partial<CallerEngine>,
  signal: AbortSignal,
) => Promise<Optimized>

/** Keys of a header line that name its indices. */
export const ofIndex = ['index', 'indices']

interface Asked {
  readonly items: readonly SearchItem[]
  /** The searches with the query text that the caller passed next to them. Undefined: they are sent as the caller wrote them. */
  readonly filled: readonly SearchItem[] | undefined
  /** What became of each search when it was parsed. */
  readonly understood: readonly (RewritableSearch | { readonly reason: string })[]
}

/** @throws the error that the application would get without Querent */
export async function optimizedMsearch(
  asked: Asked,
  engine: RequestEngine,
  { limits, signal }: { readonly limits: EngineLimits; readonly signal: AbortSignal },
  optimize: Optimize,
): Promise<Answered> {
  // All searches share one signal of Querent's: Node takes more than ten listeners on the caller's signal for a leak.
  const ms = Number.POSITIVE_INFINITY
  const shared = openDeadline(systemClock, { parent: signal, ms, what: 'The _msearch' })
  setMaxListeners(0, shared.signal)
  const sending = { limits, signal: shared.signal }
  return optimizedTogether(asked, engine, sending, optimize).finally(() => shared.cancel())
}

async function optimizedTogether(
  { items, filled, understood }: Asked,
  engine: RequestEngine,
  { limits, signal: caller }: { readonly limits: EngineLimits; readonly signal: AbortSignal },
  optimize: Optimize,
): Promise<Answered> {
  const sendAll = (lines: readonly SearchItem[] | undefined, isLarger = false): Promise<EngineAnswer> =>
    sendOwn(limits, (signal) => engine.send(lines, { signal, isLarger }), caller, isLarger)
  const given = filled ?? items
  const sent = [...given]
  let silent = understood.filter((one) => !('reason' in one)).length
  let send: () => void = () => {}
  const answer = new Promise<void>((resolve) => {
    send = resolve
  }).then(() => {
    const isLarger = sent.some((item, place) => item !== given[place])
    if (!isLarger) return sendAll(filled)
    const isUseful = (body: unknown): boolean => responsesIn(body, given.length) !== undefined
    return orOwn(sendAll(sent, true), () => sendAll(filled), isUseful)
  })

  const searches = understood.map((one, place) => {
    if ('reason' in one) return one
    const item = given[place]!
    let isReady = false
    let first: unknown
    /** Sends all searches together as soon as each is ready: it has made its request, or has ended without one. */
    function markReady(): void {
      if (isReady) return
      isReady = true
      if (--silent === 0) send()
    }
    return optimize(
      one,
      place,
      {
        async search(change, options) {
          const line = options.isLarger ? { header: item.header, body: change!.body } : item
          // A retry goes alone, and so does the original of a refused change.
          if (isReady) return aloneOf(await engine.send([line], options), first)
          sent[place] = line
          markReady()
          const all = await answer.catch(givenUp)
          if (all.status >= 400) throw new AnswerError(all)
          const response = responseOf(all, place, given.length)
          first = response.own
          return response
        },
        msearch: (legs, options) => engine.msearch(legs.map(at(item)), options),
      },
      caller,
    )
      .catch((thrown: unknown): Optimized => {
        // The others need not fail with a search that went alone and had no answer.
        if (!isError(first) || caller.aborted || !isRetryable(thrown)) throw thrown
        return { own: first, error: toError(thrown) }
      })
      .finally(markReady)
  })
  const [all, ...optimized] = await Promise.all([answer, ...searches])
  const own = responsesIn(all.body, given.length)
  if (own === undefined) return { own: all.own, optimized }
  const responses = own.map((response, place) => {
    const one = optimized[place]
    return one === undefined || 'reason' in one ? response : (one.body ?? one.own)
  })
  const isOwn = responses.every((response, place) => response === own[place])
  if (isOwn) return { own: all.own, optimized }
  return { own: all.own, body: { ...(all.body as JsonObject), responses }, optimized }
}

/** A leg of a search, on the indices of that search. */
const at =
  ({ header }: SearchItem) =>
  (leg: EngineLeg): EngineLeg => ({
    ...leg,
    header: { ...only(header, ...ofIndex), ...leg.header },
  })

/** The responses of an `_msearch`. Undefined unless each search has one: otherwise they cannot be matched. */
function responsesIn(body: unknown, searches: number): readonly unknown[] | undefined {
  const responses = isObject(body) ? body.responses : undefined
  return Array.isArray(responses) && responses.length === searches ? responses : undefined
}

/** One response of an `_msearch`, in the form of a single search's answer. */
function responseOf(answer: EngineAnswer, place: number, searches: number): EngineAnswer {
  const body = responsesIn(answer.body, searches)?.[place]
  const status = isObject(body) ? numberOf(body.status) : undefined
  return { body, status: status ?? answer.status, own: body, failure: answer.failure }
}

/**
 * The same for a search that went alone. If the whole request failed, its error becomes the response of the search.
 *
 * @param first the response that the search had among the others. If that is an error, it stays where the engine sends no other
 */
function aloneOf(answer: EngineAnswer, first: unknown): EngineAnswer {
  const { body, status } = answer
  const response = responseOf(answer, 0, 1)
  if (response.body !== undefined) return response
  if (isError(body)) return { ...answer, own: { ...body, status } }
  return {
    ...answer,
    own: isError(first) ? first : { error: `The engine answered with status ${status}`, status },
  }
}

const isError = (response: unknown): response is JsonObject =>
  isObject(response) && response.error !== undefined

/** The retries of the whole `_msearch` are used up. Its searches are not sent again one by one. */
function givenUp(cause: unknown): never {
  throw new QuerentError('unavailable', 'The _msearch as a whole was not answered', { cause })
}
