/**
 * Retries and limits around an engine. The caller's own request is sent again if the engine could not be reached or asks for a
 * retry. It is never held back. Sub-queries are optional: they wait for a place, end at their timeout, and are not sent while the
 * engine does not answer.
 */

import { QuerentError, toError } from '../../../../src/errors.ts'
import { systemClock } from '../../../../src/runtime/clock.ts'
import { openDeadline } from '../../../../src/runtime/deadline.ts'
import type { ResilienceOptions } from '../../../resilience/options.ts'
import { createResilience, type Resilience } from '../../../resilience/resilience.ts'
import { isRetryable } from '../../../resilience/retryable.ts'
import { AnswerError, type EngineAnswer, errorOf, isRefusal } from '../answer/engine-answer.ts'
import type { JsonObject } from '../parse/json.ts'
import type { RewritableSearch } from '../parse/parse-search.ts'
import type { CallerEngine } from './caller-engine.ts'

/** Shared by all searches of one application. */
export interface EngineLimits {
  readonly own: Resilience
  readonly legs: Resilience
  /** Decides after which failures the caller's own request is sent again. */
  readonly isRetryable: (failure: unknown) => boolean
}

/** No limit in practice: Querent does not limit the caller's own requests. */
const countless = 1_000_000
/** The longest timer of Node: 25 days. */
const endless = 2 ** 31 - 1
/** Milliseconds, the longest wait between attempts. A caller that would have had its 429 at once is not held for longer. */
const maxRetryAfter = 1000

/**
 * @param retries how often the caller's own request is sent again
 * @throws QuerentError `bad-config` for a wrong option
 */
export function engineLimits(retries: number, options: ResilienceOptions = {}): EngineLimits {
  const own = { retries, concurrency: countless, queue: 0, timeout: endless, breaker: false } as const
  return {
    own: createResilience({ ...own, name: 'The engine' }),
    legs: createResilience({ name: 'The engine', ...options }),
    isRetryable,
  }
}

/**
 * Sends a request of the caller's at once, and again after a failure that may pass. A larger one is sent again only where the caller's
 * own would have to be: otherwise that follows at once.
 */
export async function sendOwn(
  { own, isRetryable: mayPass }: EngineLimits,
  send: (signal: AbortSignal) => Promise<EngineAnswer>,
  signal: AbortSignal,
  isLarger = false,
): Promise<EngineAnswer> {
  signal.throwIfAborted()
  const isRetryable = (failure: unknown): boolean => mayPass(failure) && !(isLarger && isRefusal(failure))
  const partialError = (answer: EngineAnswer): unknown => {
    const error = errorIn(answer)
    return isRetryable(error) ? error : undefined
  }
  const first = send(signal)
  try {
    // One attempt is nearly always enough. Set up the retries only if needed.
    const answer = await first
    if (partialError(answer) === undefined) return answer
  } catch (error) {
    signal.throwIfAborted()
    if (!isRetryable(error)) throw error
  }
  const limits = { signal, timeout: endless, isRetryable, maxRetryAfter }
  return own.run(begunWith(first, send), { ...limits, errorIn: partialError })
}

/**
 * The answer to a larger request or, with the `failure` of that, to the caller's own, which follows it. Whatever limits what may be
 * asked for or answered, the caller gets what it would have got without Querent.
 *
 * @param isUseful whether the body of an answer is what was asked for
 */
export async function orOwn(
  larger: Promise<EngineAnswer>,
  own: () => Promise<EngineAnswer>,
  isUseful: (body: unknown) => boolean,
): Promise<EngineAnswer> {
  let cause: unknown
  try {
    const answer = await larger
    const isGood = answer.status < 400 ? isUseful(answer.body) : !isRefusal(answer)
    if (isGood || answer.failure !== undefined) return answer
    cause = new AnswerError(answer)
  } catch (thrown) {
    if (!isRefusal(thrown)) throw thrown
    cause = thrown
  }
  return { ...(await own()), failure: largerFailed(cause) }
}

export const largerFailed = (cause: unknown): QuerentError =>
  new QuerentError('retriever-failed', `A larger request failed: ${toError(cause).message}`, { cause })

/** A `send` whose first attempt is already under way. */
export function begunWith<T>(
  first: Promise<T>,
  send: (signal: AbortSignal) => Promise<T>,
): (signal: AbortSignal) => Promise<T> {
  let begun: Promise<T> | undefined = first
  return (signal) => {
    const sent = begun ?? send(signal)
    begun = undefined
    return sent
  }
}

export function resilientEngine(engine: CallerEngine, limits: EngineLimits): CallerEngine {
  return {
    search: (change, { signal, isLarger }) =>
      sendOwn(limits, (until) => engine.search(change, { signal: until, isLarger }), signal, isLarger),
    msearch: (searches, { signal, timeout, url }) =>
      limits.legs.run((until) => engine.msearch(searches, { signal: until, timeout, url }), {
        signal,
        // The signal already ends at the optimizer's timeout of the leg.
        ...(timeout !== undefined && { timeout, isTimed: true }),
      }),
    ...limitedFieldCaps(engine, limits),
  }
}

/** Requests that help sub-queries have the limits of sub-queries. */
export const limitedFieldCaps = (
  engine: Pick<CallerEngine, 'fieldCaps'>,
  { legs }: EngineLimits,
): Pick<CallerEngine, 'fieldCaps'> => ({
  fieldCaps: (asked, { signal, timeout }) =>
    legs.run((until) => engine.fieldCaps(asked, { signal: until, timeout }), {
      signal,
      timeout,
      isTimed: true,
    }),
})

/** What ends a request, and how long its answer may take. */
export interface Asking {
  readonly signal: AbortSignal
  readonly timeout: number | undefined
}

/** Asks for something that has its own time. */
export async function withinTime<T>(
  parent: AbortSignal,
  timeout: number,
  what: string,
  ask: (asking: Asking) => Promise<T>,
): Promise<T> {
  const { signal, cancel } = openDeadline(systemClock, { parent, ms: timeout, what })
  return ask({ signal, timeout }).finally(() => cancel())
}

/**
 * Sends searches of Querent's in one `_msearch`, on the indices of the caller's search.
 *
 * @throws QuerentError `retriever-failed` unless each has an answer, which may be an error
 */
export async function askEach(
  engine: Pick<CallerEngine, 'msearch'>,
  { header, url: { rest_total_hits_as_int: asInt } }: Pick<RewritableSearch, 'header' | 'url'>,
  bodies: readonly JsonObject[],
  asking: Asking,
): Promise<readonly unknown[]> {
  const searches = bodies.map((body) => ({ header, body }))
  // It also applies to hits within hits.
  const url = asInt === undefined ? {} : { rest_total_hits_as_int: asInt }
  const responses = await engine.msearch(searches, { ...asking, url })
  if (Array.isArray(responses) && responses.length === searches.length) return responses
  const count = Array.isArray(responses) ? responses.length : 'no'
  throw new QuerentError('retriever-failed', `${searches.length} searches had ${count} answers`)
}

/** The same for one search. @throws the error that it was answered with */
export async function askOne(
  engine: Pick<CallerEngine, 'msearch'>,
  understood: Pick<RewritableSearch, 'header' | 'url'>,
  body: JsonObject,
  asking: Asking,
): Promise<JsonObject> {
  const [response] = await askEach(engine, understood, [body], asking)
  const error = errorOf(response)
  if (error !== undefined) throw error
  return response as JsonObject
}

/** An answer in the form of a client's error. */
const errorIn = ({ status, headers, body }: EngineAnswer): unknown => ({ statusCode: status, headers, body })
