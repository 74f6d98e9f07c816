/**
 * Limits how much one process optimizes at a time. Searches beyond the limit pass through: the engine answers them as it would
 * without Querent, and the optimized searches are not late.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks'

export interface Load {
  /**
   * Takes a place for a search, or returns why there is none. While other searches are being optimized, a late event loop refuses
   * new requests.
   *
   * @param isFurther whether the search belongs to a request that already has a place; a late event loop does not refuse it
   */
  enter(isFurther?: boolean): { leave(): void } | Shed
  /** Counts a search that passes through even if there may be a place. */
  shed(reason: string): Shed
  readonly counts: LoadCounts
}

/** Why a search passes through that Querent would optimize under less load. */
export interface Shed {
  readonly reason: string
  readonly isShed: true
}

export interface LoadCounts {
  /** Searches being optimized now. */
  readonly optimizing: number
  /** Searches that had a place, and searches that passed through for lack of one, since the process began. */
  readonly admitted: number
  readonly shed: number
}

/** Maximum number of searches of one `_msearch` that are optimized. The rest pass through. */
const maxSearchesOfMsearch = 10

/**
 * @param maxSearches maximum number of searches that are optimized at a time
 * @param maxDelay milliseconds that the event loop may be late
 * @param delay returns how late it is
 */
export function createLoad(maxSearches: number, maxDelay: number, delay: () => number = loopDelay): Load {
  const counts = { optimizing: 0, admitted: 0, shed: 0 }

  function shed(reason: string): Shed {
    counts.shed++
    return { reason, isShed: true }
  }

  return {
    counts,
    shed,
    enter(isFurther = false) {
      if (!isFurther && counts.optimizing > 0 && delay() > maxDelay) return shed('the event loop is late')
      if (counts.optimizing >= maxSearches)
        return shed(`as many searches as may be are being optimized (${maxSearches})`)
      counts.optimizing++
      counts.admitted++
      return { leave: () => void counts.optimizing-- }
    },
  }
}

type Reason = { readonly reason: string }
type Admitted<T> = { readonly understood: T; leave(): void }

/** A parsed search with a place, which `leave` gives back; or the reason why it passes through. */
export function admit<T extends object>(load: Load, understood: T | Reason): Admitted<T> | Reason {
  if ('reason' in understood) return understood
  const place = load.enter()
  return 'reason' in place ? place : { understood, ...place }
}

/** The same for the searches of an `_msearch`. The first ones get the available places. */
export function admitEach<T extends object>(
  load: Load,
  all: readonly (T | Reason)[] | Reason,
): Admitted<readonly (T | Reason)[]> | Reason {
  if ('reason' in all) return all
  const places: { leave(): void }[] = []
  const understood = all.map((one) => {
    if ('reason' in one) return one
    const isMore = places.length === maxSearchesOfMsearch
    const place = isMore
      ? load.shed(`${maxSearchesOfMsearch} searches of an _msearch are optimized`)
      : load.enter(places.length > 0)
    if ('reason' in place) return place
    places.push(place)
    return one
  })
  if (places.length === 0) return understood.find(isShed) ?? { reason: 'none of its searches is rewritten' }
  return {
    understood,
    leave() {
      for (const place of places) place.leave()
    },
  }
}

/** Whether a search passed through because of the load. */
export const isShed = (one: object): one is Shed => 'isShed' in one

/** Milliseconds between two samples of the monitor, and between two readings of it. */
const resolution = 20
const every = 200

let monitor: ReturnType<typeof monitorEventLoopDelay> | undefined
let readAt = 0
let last = 0

/**
 * The mean delay over at least the last fifth of a second. Node measures it without running JavaScript, from the first search on.
 */
function loopDelay(): number {
  const now = performance.now()
  if (monitor === undefined) {
    monitor = monitorEventLoopDelay({ resolution })
    monitor.enable()
    readAt = now
  }
  if (now - readAt >= every) {
    const mean = monitor.mean / 1e6
    // No sample: the loop was blocked the whole time.
    last = Number.isNaN(mean) ? now - readAt : Math.max(0, mean - resolution)
    monitor.reset()
    readAt = now
  }
  return last
}
