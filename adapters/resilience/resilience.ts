/**
 * Retries within a deadline, around attempts with a concurrency limit, a timeout and a circuit breaker.
 *
 * The loop is Querent's own: cockatiel's cannot be aborted while it waits and knows no deadline; p-retry waits until the
 * deadline instead of failing at once, knows no `retry-after`, and drops an answer that comes with the abort.
 */
import { ExponentialBackoff, type IBackoff } from 'cockatiel'
import { parseConfig } from '../../src/config.ts'
import { isQuerentError, QuerentError, toError } from '../../src/errors.ts'
import { systemClock as clock } from '../../src/runtime/clock.ts'
import { borrowDeadline, openDeadline, untilAborted } from '../../src/runtime/deadline.ts'
import { createAttempts, type Work } from './attempt.ts'
import type { Breaker } from './breaker.ts'
import { type ResilienceOptions, resilienceSchema } from './options.ts'
import { retryAfterOf } from './retry-after.ts'
import { isRetryable } from './retryable.ts'

export interface RunOptions<T> {
  /** Ends the run, which rejects with the signal's reason and leaves nothing behind. */
  readonly signal?: AbortSignal
  /**
   * Milliseconds until the caller's deadline, including the time in the queue. With 0 or less nothing is sent.
   * Default: the time that all attempts may take, `(retries + 1) × timeout` of the options.
   */
  readonly timeout?: number
  /** Whether the signal itself aborts after `timeout`, so no timer is needed. Default: false. */
  readonly isTimed?: boolean
  /**
   * Returns the error of an answer that is usable but incomplete. If that error is retryable, the work is repeated. If no attempt
   * gives a complete answer, the run resolves with the last incomplete one, shortly before the deadline.
   */
  readonly errorIn?: (answer: T) => unknown
  /** Whether another attempt may help after this failure. Default: whether the failure may be temporary. */
  readonly isRetryable?: (failure: unknown) => boolean
  /** Milliseconds. If `retry-after` asks for more, the run ends at once. Default: 30,000. */
  readonly maxRetryAfter?: number
}

/** For health checks and metrics. The counts include all runs. */
export interface ResilienceState {
  /** Requests in flight. */
  readonly running: number
  /** Requests waiting for a place. */
  readonly queued: number
  readonly breaker: Breaker['state']
  readonly retries: number
  /** Requests that were not sent because the backend was overloaded. */
  readonly shed: number
}

export interface Resilience {
  /**
   * Repeats `work` until it succeeds, fails permanently, or the deadline comes. The work must be safe to repeat. It receives a
   * signal to pass on, and the milliseconds of this attempt. Work that ignores its signal keeps its place until it ends.
   *
   * @throws the backend's last error, unchanged, or the signal's reason. If there was no error of the backend, QuerentError
   *   `overloaded` or `unavailable` if nothing was sent (`retryAfter` is the time until the next try, and the cause of
   *   `unavailable` is the backend's last error), or `deadline` if it did not answer in time.
   */
  run<T>(work: Work<T>, options?: RunOptions<T>): Promise<T>
  readonly state: ResilienceState
}

/** The waits before the first and the second retry are up to about 140 and 250 ms; none is longer than a second. */
const backoffs = new ExponentialBackoff({ initialDelay: 100, maxDelay: 1000 })

/** Milliseconds. If a backend asks for a longer wait, the run fails at once, even without a deadline. */
const maxWait = 30_000

/**
 * How long before the deadline a run returns an incomplete answer, because the caller's own deadline may be the same: 5 % of
 * its time, at most 100 ms.
 */
const reserveOf = (timeout: number): number => Math.min(timeout / 20, 100)

/**
 * Makes the limits of one backend. Send everything to that backend through the same `Resilience`.
 *
 * @throws QuerentError `bad-config` for a wrong option
 */
export function createResilience(options: ResilienceOptions = {}): Resilience {
  const settings = parseConfig(resilienceSchema, options, 'Resilience')
  const { name } = settings
  const { attempt, bulkhead, breaker, counts } = createAttempts(settings)
  let retries = 0

  async function run<T>(work: Work<T>, options: RunOptions<T> = {}): Promise<T> {
    const { signal, timeout = (settings.retries + 1) * settings.timeout, isTimed = false } = options
    const { errorIn, isRetryable: mayPass = isRetryable, maxRetryAfter = maxWait } = options
    if (signal?.aborted) throw toError(signal.reason)
    if (!(timeout > 0)) throw new QuerentError('deadline', `${name} was not called: no time was left`)
    let retriesLeft = settings.retries
    let until = clock.now() + timeout
    let deadline =
      isTimed && signal !== undefined
        ? borrowDeadline(signal)
        : openDeadline(clock, { parent: signal, ms: timeout, what: name })
    let incomplete: { readonly answer: T } | undefined
    let backoff: IBackoff<unknown> | undefined
    let wait = 0
    let failure: unknown
    try {
      for (;;) {
        let reason: unknown
        try {
          if (backoff !== undefined) {
            await pause(wait, deadline.signal)
            retries++
          }
          const answer = await attempt({ work, signal: deadline.signal, until })
          reason = errorIn?.(answer)
          if (reason === undefined) {
            deadline.release()
            return answer
          }
          if (incomplete === undefined) {
            until -= reserveOf(timeout)
            deadline.cancel()
            deadline = openDeadline(clock, { parent: signal, ms: until - clock.now(), what: name })
          }
          incomplete = { answer }
        } catch (error) {
          if (signal?.aborted) throw toError(signal.reason)
          reason = error
          // The backend's own errors say more than Querent's.
          if (failure === undefined || !isOwn(error)) failure = error
        }
        backoff = (backoff ?? backoffs).next(undefined)
        const asked = retryAfterOf(reason) ?? 0
        wait = asked + backoff.duration
        const isLong = asked > maxRetryAfter || wait > maxWait || clock.now() + wait >= until
        if (deadline.signal.aborted || isLong) break
        if (retriesLeft === 0 || !mayPass(reason)) break
        retriesLeft--
      }
      if (incomplete !== undefined) return incomplete.answer
      throw failure
    } finally {
      deadline.cancel()
    }
  }

  return {
    run,
    get state() {
      const { running, queued } = bulkhead
      return { running, queued, breaker: breaker.state, retries, ...counts }
    },
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  let cancel = (): void => {}
  const over = new Promise<void>((resolve) => {
    cancel = clock.after(ms, resolve)
  })
  await untilAborted(over, signal).finally(cancel)
}

/** Whether an error is Querent's, not the backend's. */
function isOwn(error: unknown): boolean {
  return isQuerentError(error) && ['deadline', 'overloaded', 'unavailable'].includes(error.code)
}
