/**
 * So many at once, so many in the queue behind them, first come, first served. Not the library's bulkhead: there a call
 * that is aborted while it waits keeps its place in the queue, and stops the queue when its turn comes
 * (https://github.com/connor4312/cockatiel/pull/114).
 */
import { toError } from '../../src/errors.ts'

/** Gives a place back. To be called once. */
export type Leave = () => void

export interface Limit {
  readonly running: number
  readonly queued: number
  /**
   * Takes a place, as soon as one is free. `undefined` where the queue is full; rejects with the signal's reason when it
   * aborts before, and the place in the queue is free again at once.
   */
  enter(signal: AbortSignal): Promise<Leave | undefined>
  /** Takes a place if one is free now. */
  tryEnter(): Leave | undefined
}

export function createLimit(concurrency: number, queue: number): Limit {
  let running = 0
  /** In the order of their arrival. Nobody waits while a place is free. */
  const waiting = new Set<() => void>()

  /** The place goes from hand to hand, so that nobody who comes later can take it in between. */
  function leave(): void {
    const [next] = waiting
    if (next === undefined) running--
    else next()
  }

  function tryEnter(): Leave | undefined {
    if (running === concurrency) return undefined
    running++
    return leave
  }

  async function enter(signal: AbortSignal): Promise<Leave | undefined> {
    if (signal.aborted) throw toError(signal.reason)
    const entered = tryEnter()
    if (entered !== undefined || waiting.size === queue) return entered
    return new Promise((resolve, reject) => {
      const admit = (): void => {
        end()
        resolve(leave)
      }
      const giveUp = (): void => {
        end()
        reject(toError(signal.reason))
      }
      const end = (): void => {
        waiting.delete(admit)
        signal.removeEventListener('abort', giveUp)
      }
      waiting.add(admit)
      signal.addEventListener('abort', giveUp)
    })
  }

  return {
    get running() {
      return running
    },
    get queued() {
      return waiting.size
    },
    enter,
    tryEnter,
  }
}
