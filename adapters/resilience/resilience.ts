/** Retries inside a deadline, around attempts that are limited, timed and broken off where the backend is gone. */
import { ExponentialBackoff, type IBackoff } from 'cockatiel'
import { parseConfig } from '../../src/config.ts'
import { isQuerentError, QuerentError, toError } from '../../src/errors.ts'
import { systemClock as clock } from '../../src/runtime/clock.ts'
import { borrowDeadline, openDeadline, untilAborted } from '../../src/runtime/deadline.ts'
import { createAttempts, type Work } from './attempt.ts'
import type { Breaker } from './breaker.ts'
import { type ResilienceOptions, resilienceSchema } from './options.ts'
import { retryAfterOf } from './retry-after.ts'
import { isWorthRetrying } from './retryable.ts'

export interface RunOptions<T> {
  /** Ends everything: the run rejects with its reason, and nothing of it is left. */
  readonly signal?: AbortSignal
  /**
   * Milliseconds until the caller's deadline; waiting for a place counts. With 0 or less nothing is sent.
   * Default: what all attempts may take, `(retries + 1) × timeout` of the options.
   */
  readonly timeout?: number
  /** Whether the signal aborts when the timeout is over, so that no other need be made. Default: false. */
  readonly isTimed?: boolean
  /**
   * The error in an answer that is usable but not whole, if it has one. Where that is worth it, the work is done again; if
   * nothing better comes of it, the last answer is what the run comes to, shortly before the deadline.
   */
  readonly unfinished?: (answer: T) => unknown
  /** Whether the work is worth another attempt after this failure. Default: after those that may pass by themselves. */
  readonly isRetryable?: (failure: unknown) => boolean
}

/** For health checks and metrics; counts are of all runs since it was made. */
export interface ResilienceState {
  /** Requests in flight. */
  readonly running: number
  /** Requests waiting for a place. */
  readonly queued: number
  readonly breaker: Breaker['state']
  readonly retries: number
  /** Requests that were not sent since there was no place for them. */
  readonly shed: number
  /** Requests that were sent since another one was slow. */
  readonly hedged: number
}

export interface Resilience {
  /**
   * Does `work` until it succeeds, fails for good, or the deadline comes. The work may be done several times, and at the
   * same time where there is a hedge: it must be safe to repeat. It gets a signal to pass on, and the milliseconds that
   * this attempt has. Work that does not end with its signal keeps its place until it ends by itself.
   *
   * @throws the backend's last error as it is, or the signal's reason. Where the backend gave no error, QuerentError
   *   `overloaded` or `unavailable` if it was not asked (both say in `retryAfter` when to try again, `unavailable` has
   *   the backend's last error as its cause), `deadline` if it did not answer in time.
   */
  run<T>(work: Work<T>, options?: RunOptions<T>): Promise<T>
  readonly state: ResilienceState
}

/** Waits before the first and the second retry are up to some 140 and 250 ms; none is longer than a second. */
const backoffs = new ExponentialBackoff({ initialDelay: 100, maxDelay: 1000 })

/** Milliseconds: a backend that asks to be left alone for longer is, even where there is no deadline. */
const longestWait = 30_000

/** What a run with a usable answer leaves to its caller, whose own deadline may be the same: 5 % of its time, 100 ms at most. */
const reserveOf = (timeout: number): number => Math.min(timeout / 20, 100)

/**
 * Makes the limits of one backend: everything that is sent to it should go through the same `Resilience`.
 *
 * @throws QuerentError `bad-config` for a wrong option
 */
export function createResilience(options: ResilienceOptions = {}): Resilience {
  const settings = parseConfig(resilienceSchema, options, 'Resilience')
  const { name, retries } = settings
  const { attempt, limit, breaker, counts } = createAttempts(settings)
  let repeated = 0

  async function run<T>(work: Work<T>, options: RunOptions<T> = {}): Promise<T> {
    const { signal, timeout = (retries + 1) * settings.timeout, isTimed = false } = options
    const { unfinished, isRetryable = isWorthRetrying } = options
    if (signal?.aborted) throw toError(signal.reason)
    if (!(timeout > 0)) throw new QuerentError('deadline', `${name} was not asked: there was no time left`)
    let left = retries
    const takeRetry = (): boolean => left > 0 && left-- > 0
    let until = clock.now() + timeout
    let deadline =
      isTimed && signal !== undefined
        ? borrowDeadline(signal)
        : openDeadline(clock, { parent: signal, ms: timeout, what: name })
    let answer: { readonly value: T } | undefined
    let backoff: IBackoff<unknown> | undefined
    let wait = 0
    let failure: unknown
    try {
      for (;;) {
        let reason: unknown
        try {
          if (backoff !== undefined) {
            await pause(wait, deadline.signal)
            repeated++
          }
          const value = await attempt({ work, signal: deadline.signal, until, takeRetry })
          reason = unfinished?.(value)
          if (reason === undefined) {
            deadline.release()
            return value
          }
          if (answer === undefined) {
            until -= reserveOf(timeout)
            deadline.cancel()
            deadline = openDeadline(clock, { parent: signal, ms: until - clock.now(), what: name })
          }
          answer = { value }
        } catch (error) {
          if (signal?.aborted) throw toError(signal.reason)
          reason = error
          // The backend's own errors say more than ours.
          if (failure === undefined || !isOurs(error)) failure = error
        }
        backoff = (backoff ?? backoffs).next(undefined)
        wait = (retryAfterOf(reason) ?? 0) + backoff.duration
        if (deadline.signal.aborted || wait > longestWait || clock.now() + wait >= until) break
        if (!isRetryable(reason) || !takeRetry()) break
      }
      if (answer !== undefined) return answer.value
      throw failure
    } finally {
      deadline.cancel()
    }
  }

  return {
    run,
    get state() {
      const { running, queued } = limit
      return { running, queued, breaker: breaker.state, retries: repeated, ...counts }
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

function isOurs(error: unknown): boolean {
  return isQuerentError(error) && ['deadline', 'overloaded', 'unavailable'].includes(error.code)
}
