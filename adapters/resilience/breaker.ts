/** cockatiel's circuit breaker. It counts only the backend's own failures, and reports until when it is open. */
import {
  CircuitState,
  CountBreaker,
  circuitBreaker,
  DelegateBackoff,
  type FailureReason,
  handleWhenResult,
} from 'cockatiel'
import { QuerentError } from '../../src/errors.ts'
import { minRetryAfter } from './retry-after.ts'

export interface BreakerSettings {
  readonly ratio: number
  readonly attempts: number
  readonly halfOpenAfter: number
}

/**
 * What a finished attempt says about the backend: it is up (`answered`), it is down (`failed`), or nothing (`unknown`, because
 * the attempt was cut short).
 */
export type Verdict = 'answered' | 'failed' | 'unknown'

export interface Breaker {
  readonly state: 'closed' | 'open' | 'half-open'
  /** @throws QuerentError `unavailable` while the breaker is open, and while a probe is testing whether it can close */
  check(): void
  /** Makes an attempt, unless `check` throws. Returns its value, or rethrows its error, unchanged. */
  run<T>(attempt: () => Promise<T>, verdictOn: (error: unknown) => Verdict): Promise<T>
}

type Outcome<T> =
  | { readonly verdict: 'answered'; readonly value: T }
  | { readonly verdict: Verdict; readonly error: unknown }

const states = {
  [CircuitState.Closed]: 'closed',
  [CircuitState.Open]: 'open',
  [CircuitState.HalfOpen]: 'half-open',
  [CircuitState.Isolated]: 'open',
} as const

/** A breaker that never opens. */
export const noBreaker: Breaker = { state: 'closed', check() {}, run: (attempt) => attempt() }

export function createBreaker(name: string, { ratio, attempts, halfOpenAfter }: BreakerSettings): Breaker {
  let until = 0
  let cause: unknown

  // After a probe without a verdict, the next attempt becomes the probe.
  const restAfter = (reason: FailureReason<unknown>): number =>
    verdictOf(reason) === 'unknown' ? 0 : halfOpenAfter
  const policy = circuitBreaker(
    handleWhenResult((outcome) => (outcome as Outcome<unknown>).verdict !== 'answered'),
    {
      breaker: new CountBreaker({ threshold: ratio, size: attempts }),
      halfOpenAfter: new DelegateBackoff(({ result }) => restAfter(result)),
    },
  )
  policy.onBreak((reason) => {
    if (!('isolated' in reason)) until = Date.now() + restAfter(reason)
  })

  function check(): void {
    const now = Date.now()
    const isProbing = policy.state === CircuitState.HalfOpen
    if (policy.state === CircuitState.Closed || (!isProbing && now >= until)) return
    const what = isProbing
      ? `${name} failed, and one request is testing whether it is back`
      : `${name} failed, and receives no requests until ${new Date(until).toISOString()}`
    throw new QuerentError('unavailable', what, {
      cause,
      retryAfter: isProbing ? minRetryAfter : until - now,
    })
  }

  return {
    get state() {
      return states[policy.state]
    },
    check,
    async run<T>(attempt: () => Promise<T>, verdictOn: (error: unknown) => Verdict): Promise<T> {
      check()
      const isProbe = policy.state === CircuitState.Open
      const outcome = await policy.execute(async (): Promise<Outcome<T>> => {
        try {
          return { verdict: 'answered', value: await attempt() }
        } catch (error) {
          const verdict = verdictOn(error)
          if (verdict === 'failed') cause = error
          // cockatiel ignores thrown errors, but counts the thrown error of a probe as a success.
          if (verdict === 'unknown' && !isProbe) throw error
          return { verdict, error }
        }
      })
      if ('error' in outcome) throw outcome.error
      return outcome.value
    },
  }
}

function verdictOf(reason: FailureReason<unknown>): Verdict | undefined {
  return 'value' in reason ? (reason.value as Outcome<unknown>).verdict : undefined
}
