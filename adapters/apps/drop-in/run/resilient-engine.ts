/**
 * Retries and limits around an engine. The caller's own request is sent again where the engine could not be reached or asks
 * to be asked later, and is never held back; sub-queries are help, and wait for a place, end with their time, and are not
 * sent at all while the engine does not answer.
 */

import type { ResilienceOptions } from '../../../resilience/options.ts'
import { createResilience, type Resilience } from '../../../resilience/resilience.ts'
import { isRetryable } from '../../../resilience/retryable.ts'
import type { CallerEngine, EngineAnswer } from '../caller-engine.ts'

/** What all searches of one application share. */
export interface EngineLimits {
  readonly own: Resilience
  readonly legs: Resilience
  /** After which failures the caller's own request is sent again. */
  readonly isRetryable: (failure: unknown) => boolean
}

/** As many as there can be: the caller's own requests are not ours to count. */
const countless = 1_000_000
/** Node's timers know no longer one: 25 days. */
const endless = 2 ** 31 - 1

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

/** A request of the caller's own, sent at once, and again where it may be answered otherwise later. */
export async function sendOwn(
  { own, isRetryable }: EngineLimits,
  send: (signal: AbortSignal) => Promise<EngineAnswer>,
  signal: AbortSignal,
): Promise<EngineAnswer> {
  signal.throwIfAborted()
  const partialError = (answer: EngineAnswer): unknown => {
    const error = errorIn(answer)
    return isRetryable(error) ? error : undefined
  }
  const first = send(signal)
  try {
    // Nearly always that is all: what sends it again is prepared where it has to be.
    const answer = await first
    if (partialError(answer) === undefined) return answer
  } catch (error) {
    signal.throwIfAborted()
    if (!isRetryable(error)) throw error
  }
  return own.run(begunWith(first, send), { signal, timeout: endless, errorIn: partialError, isRetryable })
}

/** Sends as `send` does, but that the first time is under way already. */
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
    search: (change, { signal }) =>
      sendOwn(limits, (until) => engine.search(change, { signal: until }), signal),
    msearch: (searches, { signal, timeout, url }) =>
      limits.legs.run((until) => engine.msearch(searches, { signal: until, timeout, url }), {
        signal,
        // The time of a leg is the optimizer's, whose signal this is.
        ...(timeout !== undefined && { timeout, isTimed: true }),
      }),
    ...limitedFieldCaps(engine, limits),
  }
}

/** What helps sub-queries is limited as they are. */
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

/** An answer in the form that errors of clients have. */
const errorIn = ({ status, headers, body }: EngineAnswer): unknown => ({ statusCode: status, headers, body })
