/**
 * How much one process optimizes at a time. Searches beyond that pass through: the engine answers them as if nothing stood
 * before it, and those that are optimized are not late.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks'

export interface Load {
  /**
   * Takes a place for a search that is to be optimized, or says why there is none. A late event loop closes the door while
   * others are being optimized; `isFurther`: to the first search of a request, not to those that come with it.
   */
  enter(isFurther?: boolean): { leave(): void } | Shed
  /** Counts a search that passes through though there may be a place. */
  shed(reason: string): Shed
  readonly counts: LoadCounts
}

/** Why a search passes through that would have been optimized on another day. */
export interface Shed {
  readonly reason: string
  readonly isShed: true
}

export interface LoadCounts {
  /** Searches that are being optimized. */
  readonly optimizing: number
  /** Searches that had a place, and those that passed through since there was none, since the process began. */
  readonly admitted: number
  readonly shed: number
}

/** Searches of one `_msearch` that are optimized: the others of it pass through. */
const maxSearchesOfMsearch = 10

/**
 * @param most searches that are optimized at a time
 * @param maxDelay milliseconds that the event loop may be late
 * @param delay how late it is
 */
export function createLoad(most: number, maxDelay: number, delay: () => number = loopDelay): Load {
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
      if (counts.optimizing >= most) return shed(`as many searches as may be are being optimized (${most})`)
      counts.optimizing++
      counts.admitted++
      return { leave: () => void counts.optimizing-- }
    },
  }
}

type Reason = { readonly reason: string }
type Admitted<T> = { readonly understood: T; leave(): void }

/** What was understood, with a place that `leave` gives back; or why the search passes through. */
export function admit<T extends object>(load: Load, understood: T | Reason): Admitted<T> | Reason {
  if ('reason' in understood) return understood
  const place = load.enter()
  return 'reason' in place ? place : { understood, ...place }
}

/** The same for the searches of an `_msearch`: the first ones, as far as there are places. */
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

/** Whether a search that passed through was one too many. */
export const isShed = (one: object): one is Shed => 'isShed' in one

/** Milliseconds between two looks of the monitor, and between two readings of it. */
const resolution = 20
const every = 200

let monitor: ReturnType<typeof monitorEventLoopDelay> | undefined
let readAt = 0
let last = 0

/** The mean delay of the last fifth of a second or more. Node measures it without JavaScript, from the first search on. */
function loopDelay(): number {
  const now = performance.now()
  if (monitor === undefined) {
    monitor = monitorEventLoopDelay({ resolution })
    monitor.enable()
    readAt = now
  }
  if (now - readAt >= every) {
    const mean = monitor.mean / 1e6
    // Without a sample the loop was not free once.
    last = Number.isNaN(mean) ? now - readAt : Math.max(0, mean - resolution)
    monitor.reset()
    readAt = now
  }
  return last
}
