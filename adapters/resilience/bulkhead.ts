/**
 * A concurrency limit with a bounded queue, first come, first served.
 *
 * Libraries do not fit: in cockatiel's bulkhead an aborted call keeps its place in the queue, and the calls behind it are lost
 * (https://github.com/connor4312/cockatiel/pull/114); p-queue frees the place of a running call as soon as its signal aborts,
 * although the backend may still be working on it.
 */
import { toError } from '../../src/errors.ts'

/** Gives a place back. Call it once. */
export type Release = () => void

export interface Bulkhead {
  readonly running: number
  readonly queued: number
  /**
   * Resolves with a place as soon as one is free, or with `undefined` if the queue is full. Rejects with the signal's reason
   * if it aborts before that, and leaves the queue.
   */
  enter(signal: AbortSignal): Promise<Release | undefined>
}

export function createBulkhead(concurrency: number, maxQueued: number): Bulkhead {
  let running = 0
  /** In the order of their arrival. Empty while a place is free. */
  const queue = new Set<() => void>()

  /** Passes the place on directly, so a call that comes later cannot take it first. */
  function release(): void {
    const [next] = queue
    if (next === undefined) running--
    else next()
  }

  return {
    get running() {
      return running
    },
    get queued() {
      return queue.size
    },
    async enter(signal) {
      if (signal.aborted) throw toError(signal.reason)
      if (running < concurrency) {
        running++
        return release
      }
      if (queue.size === maxQueued) return undefined
      return new Promise((resolve, reject) => {
        const leaveQueue = (): void => {
          queue.delete(admit)
          signal.removeEventListener('abort', onAbort)
        }
        const admit = (): void => {
          leaveQueue()
          resolve(release)
        }
        const onAbort = (): void => {
          leaveQueue()
          reject(toError(signal.reason))
        }
        queue.add(admit)
        signal.addEventListener('abort', onAbort)
      })
    },
  }
}
