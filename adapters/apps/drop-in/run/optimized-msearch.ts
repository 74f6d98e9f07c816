/**
 * An `_msearch` of an application's: all its searches in one, as they are or changed, and then for each that the policy
 * decides on one more. The answer has the engine's own responses, but for those that were optimized.
 */

import { setMaxListeners } from 'node:events'
import { QuerentError } from '../../../../src/errors.ts'
import { systemClock } from '../../../../src/runtime/clock.ts'
import { openDeadline } from '../../../../src/runtime/deadline.ts'
import { AnswerError, isRefusal } from '../answer/answer-error.ts'
import type { CallerEngine, EngineAnswer, EngineLeg, LegsOptions } from '../caller-engine.ts'
import { isObject, type JsonObject, numberOf, only, without } from '../json.ts'
import { indexText, parametersOfEach } from '../parse/parameters.ts'
import type { PassThrough, RewritableSearch, SearchCall } from '../parse/parse-search.ts'
import { type Optimized, optimizedSearch, type SearchContext } from './optimized-search.ts'
import { sendOwn } from './resilient-engine.ts'

/** One search of an `_msearch`: its header line and its body. */
export interface MsearchItem {
  readonly header: JsonObject
  readonly body: unknown
}

export interface MsearchEngine {
  /** Sends lines as the caller's own `_msearch` was sent, with its parameters. */
  sendAll(items: readonly MsearchItem[], options: { readonly signal: AbortSignal }): Promise<EngineAnswer>
  /** One response a leg: see `Engine`. */
  msearch(legs: readonly EngineLeg[], options: LegsOptions): Promise<unknown>
  readonly fieldCaps: CallerEngine['fieldCaps']
}

export interface MsearchCall {
  /** The index of the URL, for headers without one. */
  readonly index: string | undefined
  readonly parameters: JsonObject
  readonly items: readonly MsearchItem[]
}

/** What came of an `_msearch`. `optimized` has one entry a search: why it passed through, or what was done. */
export interface OptimizedMsearch {
  readonly own: unknown
  readonly body?: JsonObject
  readonly optimized: readonly (Optimized | { readonly reason: string })[]
}

type Context = Omit<SearchContext, 'call' | 'isTold'>

/**
 * Why an `_msearch` as a whole passes through, or each search as far as it is understood.
 *
 * @param understood what one search is
 */
export function parseMsearch(
  { index, parameters, items }: MsearchCall,
  understood: (call: SearchCall) => RewritableSearch | PassThrough,
): { readonly reason: string } | readonly (RewritableSearch | PassThrough)[] {
  if (parameters.filter_path !== undefined)
    return { reason: "filter_path of an _msearch is the engine's to apply" }
  const all = items.map((item) => understood(callOf(item, index, parameters)))
  return all.some((one) => !('reason' in one)) ? all : { reason: 'none of its searches is rewritten' }
}

/** What a header line says is what the URL of a search says. */
function callOf(
  { header, body }: MsearchItem,
  index: string | undefined,
  parameters: JsonObject,
): SearchCall {
  return {
    index: indexText(header.index ?? header.indices) ?? index,
    parameters: { ...parametersOfEach(parameters), ...without(header, ...ofIndex) },
    body,
  }
}

/** Where a header line says which indices it is about. */
const ofIndex = ['index', 'indices']

/**
 * @param understood of `understandMsearch`
 * @throws what the application would have got without us
 */
export async function optimizedMsearch(
  call: MsearchCall,
  understood: readonly (RewritableSearch | { readonly reason: string })[],
  engine: MsearchEngine,
  context: Context,
): Promise<OptimizedMsearch> {
  // All searches listen to one of ours: more than ten at the caller's would be thought to be a leak.
  const { signal, cancel } = openDeadline(systemClock, {
    parent: context.signal,
    ms: Number.POSITIVE_INFINITY,
    what: 'The _msearch',
  })
  setMaxListeners(0, signal)
  return optimizedTogether(call, understood, engine, { ...context, signal }).finally(() => cancel())
}

async function optimizedTogether(
  { index, parameters, items }: MsearchCall,
  understood: readonly (RewritableSearch | { readonly reason: string })[],
  engine: MsearchEngine,
  context: Context,
): Promise<OptimizedMsearch> {
  const sendAll = (lines: readonly MsearchItem[]): Promise<EngineAnswer> =>
    sendOwn(context.settings.limits, (signal) => engine.sendAll(lines, { signal }), context.signal)
  const sent = [...items]
  let silent = understood.filter((one) => !('reason' in one)).length
  let send: () => void = () => {}
  const answer = new Promise<void>((resolve) => {
    send = resolve
  }).then(() => sendAll(sent))

  const searches = understood.map((one, place) => {
    if ('reason' in one) return one
    const item = items[place]!
    const call = callOf(item, index, parameters)
    let isAsked = false
    /** All searches go together as soon as each has said how: by asking, or by ending without. */
    function ask(): void {
      if (isAsked) return
      isAsked = true
      if (--silent === 0) send()
    }
    return optimizedSearch(
      one,
      {
        async search(change, { signal }) {
          const asked = change === undefined ? item : { header: item.header, body: change.body }
          // Refused with its change, or to be sent again, it is sent by itself.
          if (isAsked) return responseOf(await engine.sendAll([asked], { signal }), 0, 1)
          sent[place] = asked
          ask()
          const all = await answer.catch(givenUp)
          if (all.status >= 400) throw new AnswerError(all)
          return responseOf(all, place, items.length)
        },
        msearch: (legs, options) => engine.msearch(legs.map(at(item)), options),
        fieldCaps: engine.fieldCaps,
      },
      { ...context, call, isTold: false },
    ).finally(ask)
  })
  const [all, ...optimized] = await Promise.all([answer, ...searches])
  // A change that makes the engine refuse all of it must not be the caller's loss.
  if (isRefusal(all) && sent.some((item, place) => item !== items[place]))
    return { own: (await sendAll(items)).own, optimized }
  const own = responsesIn(all, items.length)
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
  ({ header }: MsearchItem) =>
  (leg: EngineLeg): EngineLeg => ({
    ...leg,
    header: { ...only(header, ...ofIndex), ...leg.header },
  })

/** The responses of an `_msearch`, where there is one for each search: otherwise nobody knows which is whose. */
function responsesIn({ body }: EngineAnswer, searches: number): readonly unknown[] | undefined {
  const responses = isObject(body) ? body.responses : undefined
  return Array.isArray(responses) && responses.length === searches ? responses : undefined
}

/** One response of an `_msearch`, as if it were a search's own. */
function responseOf(answer: EngineAnswer, place: number, searches: number): EngineAnswer {
  if (answer.status >= 400) return answer
  const body = responsesIn(answer, searches)?.[place]
  const status = isObject(body) ? numberOf(body.status) : undefined
  return { body, status: status ?? answer.status, own: body }
}

/** All of it was sent as often as that is worth it: its searches are not sent again one by one. */
function givenUp(cause: unknown): never {
  throw new QuerentError('unavailable', 'The _msearch as a whole was not answered', { cause })
}
