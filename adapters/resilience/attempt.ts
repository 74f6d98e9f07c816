/** One attempt, from the outside in: a place, the breaker, a hedge, the time-out, the work. */
import type { z } from 'zod'
import { isQuerentError, QuerentError } from '../../src/errors.ts'
import { systemClock as clock } from '../../src/runtime/clock.ts'
import { openDeadline, untilAborted } from '../../src/runtime/deadline.ts'
import { createBreaker, noBreaker, type Verdict } from './breaker.ts'
import { createLimit, type Leave } from './bulkhead.ts'
import { hedged } from './hedge.ts'
import type { resilienceSchema } from './options.ts'
import { leastRetryAfter } from './retry-after.ts'
import { isWorthRetrying } from './retryable.ts'

export type Work<T> = (signal: AbortSignal, timeout: number) => Promise<T>

export interface Attempt<T> {
  readonly work: Work<T>
  /** Ends at the deadline of the run and with the caller's signal; its reason is an `Error`. */
  readonly signal: AbortSignal
  /** The deadline, by the clock. */
  readonly until: number
  /** Takes one of the run's retries for a hedge, if one is left. */
  readonly takeRetry: () => boolean
}

/** What the attempts of all runs at one backend share. */
export function createAttempts(settings: z.output<typeof resilienceSchema>) {
  const { name, concurrency, queue, timeout, hedge } = settings
  const limit = createLimit(concurrency, queue)
  const breaker = settings.breaker === false ? noBreaker : createBreaker(name, settings.breaker)
  const counts = { shed: 0, hedged: 0 }

  /**
   * @throws QuerentError `unavailable` and `overloaded` where nothing was sent, `deadline` where it took too long; the
   *   signal's reason; the work's own errors as they are
   */
  async function attempt<T>({ work, signal, until, takeRetry }: Attempt<T>): Promise<T> {
    // Before the queue, so that nobody waits for an answer that is known.
    breaker.check()
    const leave = limit.tryEnter() ?? (await enter(signal))
    let isSent = false
    try {
      signal.throwIfAborted()
      const start = clock.now()
      return await breaker.run(
        (probe) => {
          isSent = true
          const first = (signal: AbortSignal) => perform(leave, signal)
          if (hedge === undefined || probe) return first(signal)
          return hedged(first, { ms: hedge, signal, second, isFailure: isWorthRetrying })
        },
        (error) => judge(error, signal, clock.now() - start),
      )
    } finally {
      if (!isSent) leave()
    }

    /** Never from the queue: where a backend has enough to do, more requests make it slower. */
    function second() {
      const leave = breaker.state === 'closed' ? limit.tryEnter() : undefined
      if (leave === undefined) return undefined
      if (!takeRetry()) return void leave()
      counts.hedged++
      return (signal: AbortSignal) => perform(leave, signal)
    }

    /** The place is kept until the work has ended, not only until nobody waits for it: a limit is one of the backend. */
    async function perform(leave: Leave, outer: AbortSignal): Promise<T> {
      const left = until - clock.now()
      function send(signal: AbortSignal): Promise<T> {
        const answer = (async () => work(signal, Math.min(timeout, left)))()
        answer.then(leave, leave)
        return answer
      }
      // What has to end sooner in any case needs no time-out of its own.
      if (left <= timeout) return untilAborted(send(outer), outer)
      const deadline = openDeadline(clock, { parent: outer, ms: timeout, what: name })
      try {
        const answer = await untilAborted(send(deadline.signal), deadline.signal)
        // Not aborted: the answer may be a stream that is still to be read.
        deadline.release()
        return answer
      } finally {
        deadline.cancel()
      }
    }
  }

  async function enter(signal: AbortSignal): Promise<Leave> {
    let leave: Leave | undefined
    try {
      leave = await limit.enter(signal)
    } catch (error) {
      if (!isQuerentError(error, 'deadline')) throw error
    }
    if (leave !== undefined) return leave
    counts.shed++
    const what = signal.aborted ? 'no place became free in time' : `${queue} requests wait already`
    throw new QuerentError('overloaded', `${name} has ${concurrency} requests in flight, and ${what}`, {
      retryAfter: leastRetryAfter,
    })
  }

  /**
   * An attempt that was cut short says nothing, unless it had at least half of its time. Nor does one that was ended late by
   * our clock: the process was too busy to read an answer, or to send the question.
   */
  function judge(error: unknown, signal: AbortSignal, ms: number): Verdict {
    if (isTimeUp(signal.aborted ? signal.reason : error) && ms > timeout + mostLateness(timeout))
      return 'unknown'
    if (!signal.aborted) return isWorthRetrying(error) ? 'failed' : 'answered'
    return isTimeUp(signal.reason) && ms >= timeout / 2 ? 'failed' : 'unknown'
  }

  return { attempt, limit, breaker, counts }
}

/** How late a time-out may be before it tells of ourselves: a tenth of it, and 50 ms of any. */
const mostLateness = (timeout: number): number => Math.max(50, timeout / 10)

/** Whether a signal was aborted by a deadline: Querent's, or that of `AbortSignal.timeout`. */
function isTimeUp(reason: unknown): boolean {
  return isQuerentError(reason, 'deadline') || (reason instanceof Error && reason.name === 'TimeoutError')
}
