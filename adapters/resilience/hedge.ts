/** Hedging: a second request where the first one is slow; the first answer wins (Dean and Barroso, The Tail at Scale). */

import { QuerentError, toError } from '../../src/errors.ts'
import { systemClock } from '../../src/runtime/clock.ts'

type Send<T> = (signal: AbortSignal) => Promise<T>

export interface HedgeOptions<T> {
  /** Milliseconds after which the second request is sent. */
  readonly ms: number
  readonly signal: AbortSignal
  /** The second request, or `undefined` where there may be none now. Asked once, when the time has come. */
  readonly second: () => Send<T> | undefined
  /** Whether an error of one request is reason to wait for the other one; any other is an answer. */
  readonly isFailure: (error: unknown) => boolean
}

const answeredByAnother = new QuerentError('aborted', 'Another request was answered first', {
  remedy: 'Nothing to mend',
})

/**
 * Sends `first`, and `second` if it takes too long. The loser's signal is aborted, that of the winner is not. Where both
 * fail it rejects with the later error; when `signal` aborts it rejects with its reason, and both are aborted.
 */
export function hedged<T>(first: Send<T>, { ms, signal, second, isFailure }: HedgeOptions<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const underWay = new Set<AbortController>()
    const cancelTimer = systemClock.after(ms, () => {
      const send = second()
      if (send !== undefined) add(send)
    })
    const onAbort = (): void => {
      const reason = toError(signal.reason)
      end(reason)
      reject(reason)
    }

    function end(reason: Error): void {
      cancelTimer()
      signal.removeEventListener('abort', onAbort)
      for (const controller of underWay) controller.abort(reason)
      underWay.clear()
    }

    function add(send: Send<T>): void {
      const controller = new AbortController()
      underWay.add(controller)
      send(controller.signal).then(
        (answer) => {
          if (!underWay.delete(controller)) return
          end(answeredByAnother)
          resolve(answer)
        },
        (error: unknown) => {
          if (!underWay.delete(controller) || (underWay.size > 0 && isFailure(error))) return
          end(answeredByAnother)
          reject(error)
        },
      )
    }

    signal.addEventListener('abort', onAbort)
    add(first)
  })
}
