/** One attempt, from the outside in: a place, the breaker, the timeout, the work. */
import type { z } from 'zod'
import { isQuerentError, QuerentError } from '../../src/errors.ts'
import { systemClock as clock } from '../../src/runtime/clock.ts'
import { openDeadline, untilAborted } from '../../src/runtime/deadline.ts'
import { createBreaker, noBreaker, type Verdict } from './breaker.ts'
import { createBulkhead, type Release } from './bulkhead.ts'
import type { resilienceSchema } from './options.ts'
import { minRetryAfter } from './retry-after.ts'
import { isRetryable } from './retryable.ts'

/** Work for a backend, which ends with the signal. `timeout`: what is left of the time, in milliseconds. */
export type Work<T> = (signal: AbortSignal, timeout: number) => Promise<T>

export interface Attempt<T> {
  readonly work: Work<T>
  /** Aborts at the deadline of the run and with the caller's signal; its reason is an `Error`. */
  readonly signal: AbortSignal
  /** The deadline, by the clock. */
  readonly until: number
}

/** Makes the state that the attempts of all runs at one backend share. */
export function createAttempts(settings: z.output<typeof resilienceSchema>) {
  const { name, concurrency, queue, timeout } = settings
  const bulkhead = createBulkhead(concurrency, queue)
  const breaker = settings.breaker === false ? noBreaker : createBreaker(name, settings.breaker)
  const counts = { shed: 0 }

  /**
   * @throws QuerentError `unavailable` or `overloaded` if nothing was sent, `deadline` if it took too long; the signal's
   *   reason; the work's own errors, unchanged
   */
  async function attempt<T>({ work, signal, until }: Attempt<T>): Promise<T> {
    // Checked before the queue, so no call waits only to be rejected. `run` checks again.
    breaker.check()
    const release = await enter(signal)
    let isSent = false
    try {
      signal.throwIfAborted()
      const start = clock.now()
      return await breaker.run(
        () => {
          isSent = true
          return send(work, { signal, until, release })
        },
        (error) => verdictOn(error, signal, clock.now() - start),
      )
    } finally {
      if (!isSent) release()
    }
  }

  /** Sends the work within the timeout. Its place is released when the work ends, even if that is after the timeout. */
  async function send<T>(
    work: Work<T>,
    { signal, until, release }: Omit<Attempt<T>, 'work'> & { readonly release: Release },
  ): Promise<T> {
    const remaining = until - clock.now()
    function start(signal: AbortSignal): Promise<T> {
      const answer = (async () => work(signal, Math.min(timeout, remaining)))()
      answer.then(release, release)
      return answer
    }
    // The deadline comes before the timeout, so no timeout is needed.
    if (remaining <= timeout) return untilAborted(start(signal), signal)
    const deadline = openDeadline(clock, { parent: signal, ms: timeout, what: name })
    try {
      const answer = await untilAborted(start(deadline.signal), deadline.signal)
      // Released, not canceled: the answer may be a stream that is still to be read.
      deadline.release()
      return answer
    } finally {
      deadline.cancel()
    }
  }

  async function enter(signal: AbortSignal): Promise<Release> {
    let release: Release | undefined
    try {
      release = await bulkhead.enter(signal)
    } catch (error) {
      if (!isQuerentError(error, 'deadline')) throw error
    }
    if (release !== undefined) return release
    counts.shed++
    const what = signal.aborted ? 'no place became free in time' : `${queue} more are waiting`
    throw new QuerentError('overloaded', `${name} has ${concurrency} requests in flight, and ${what}`, {
      retryAfter: minRetryAfter,
    })
  }

  /**
   * An attempt that the caller cut short says nothing about the backend, unless it had at least half of its time. Nor does an
   * attempt whose timer fired late: then this process was too busy to read an answer, or to send the request.
   */
  function verdictOn(error: unknown, signal: AbortSignal, ms: number): Verdict {
    if (isTimeout(signal.aborted ? signal.reason : error) && ms > timeout + maxLateness(timeout))
      return 'unknown'
    if (!signal.aborted) return isRetryable(error) ? 'failed' : 'answered'
    return isTimeout(signal.reason) && ms >= timeout / 2 ? 'failed' : 'unknown'
  }

  return { attempt, bulkhead, breaker, counts }
}

/** A timer that fires later than this, a tenth of the timeout and at least 50 ms, was held up by this process. */
const maxLateness = (timeout: number): number => Math.max(50, timeout / 10)

/** Whether a deadline aborted the signal: Querent's, or that of `AbortSignal.timeout`. */
function isTimeout(reason: unknown): boolean {
  return isQuerentError(reason, 'deadline') || (reason instanceof Error && reason.name === 'TimeoutError')
}
