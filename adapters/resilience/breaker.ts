/** The library's circuit breaker, told which failures are the backend's, and saying until when it is open. */
import {
  CircuitState,
  CountBreaker,
  circuitBreaker,
  DelegateBackoff,
  type FailureReason,
  handleWhenResult,
} from 'cockatiel'
import { QuerentError } from '../../src/errors.ts'
import { leastRetryAfter } from './retry-after.ts'

export interface BreakerSettings {
  readonly ratio: number
  readonly attempts: number
  readonly halfOpenAfter: number
}

/**
 * What an attempt that ended with an error says about the backend: that it is there (`answered`), that it is not
 * (`failed`), or nothing (`unknown`: nobody waited long enough).
 */
export type Verdict = 'answered' | 'failed' | 'unknown'

export interface Breaker {
  readonly state: 'closed' | 'open' | 'half-open'
  /** @throws QuerentError `unavailable` while it is open, and while another attempt is finding out whether it may close */
  check(): void
  /**
   * Makes an attempt, unless `check` throws. `probe`: it is the one that finds out. What the attempt comes to is passed
   * on as it is.
   */
  run<T>(attempt: (probe: boolean) => Promise<T>, judge: (error: unknown) => Verdict): Promise<T>
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
export const noBreaker: Breaker = { state: 'closed', check() {}, run: (attempt) => attempt(false) }

export function createBreaker(name: string, { ratio, attempts, halfOpenAfter }: BreakerSettings): Breaker {
  let until = 0
  let cause: unknown

  // A probe that told nothing makes way for another one at once.
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
      ? `${name} failed, and one request is finding out whether it is back`
      : `${name} failed, and is left alone until ${new Date(until).toISOString()}`
    throw new QuerentError('unavailable', what, {
      cause,
      retryAfter: isProbing ? leastRetryAfter : until - now,
    })
  }

  return {
    get state() {
      return states[policy.state]
    },
    check,
    async run<T>(attempt: (probe: boolean) => Promise<T>, judge: (error: unknown) => Verdict): Promise<T> {
      check()
      const probe = policy.state === CircuitState.Open
      const outcome = await policy.execute(async (): Promise<Outcome<T>> => {
        try {
          return { verdict: 'answered', value: await attempt(probe) }
        } catch (error) {
          const verdict = judge(error)
          if (verdict === 'failed') cause = error
          // Thrown, the library counts it neither way; but of a probe it would take it for a success.
          if (verdict === 'unknown' && !probe) throw error
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
