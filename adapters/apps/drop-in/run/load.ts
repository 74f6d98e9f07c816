/**
 * Limits how much one process optimizes at a time. A search beyond the limit waits for a moment, and then passes through: the engine
 * answers it as it would without Querent. What a search got is remembered, so that all of its pages come from one list.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { LRUCache } from 'lru-cache'
import { type Clock, systemClock } from '../../../../src/runtime/clock.ts'
import { onAbort } from '../../../../src/runtime/deadline.ts'

export interface Load {
  /**
   * Takes a place for a search, as soon as there is one, or says why there is none. Never rejects.
   *
   * @param isFurther whether the search belongs to a request that already has a place; a late event loop does not refuse it
   */
  enter(search: Entering, isFurther?: boolean): Promise<Admission | Shed>
  /** Counts a search that passes through even if there may be a place. */
  shed(reason: string): Shed
  readonly counts: LoadCounts
}

export interface Entering {
  /** The caller and the search, without the page. */
  readonly key: string
  /** Whether it asks for a page behind the first. */
  readonly isBehind: boolean
  /** Whether nobody waits for it. Then it has a place only while nothing else is being optimized, and waits for none. */
  readonly isSpare?: boolean | undefined
  readonly signal: AbortSignal
}

export interface Admission {
  leave(): void
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

export interface LoadOptions {
  /** Maximum number of searches that are optimized at a time. */
  readonly maxSearches: number
  /** Milliseconds that the event loop may be late. */
  readonly maxDelay: number
  /** Returns how late it is. Default: as Node measures it. */
  readonly delay?: () => number
  /** Clock, for tests. Default: the system clock. */
  readonly clock?: Clock
}

/** Why a search is left out that nobody waits for. */
export const noSpare = 'there is no time for what nobody waits for'

/** Milliseconds that a search waits for a place: a new one, and one of which the caller has already seen a part. */
const [patience, longPatience] = [50, 2000]

/**
 * Searches that may wait for each that may be optimized: new ones, and those of which the caller has already seen a part. There is room
 * for many of these: a page that passes through would not continue the list that the caller has begun to read.
 */
const [maxWaiting, maxContinued] = [4, 100]

/** How many searches are remembered, and for how many milliseconds. */
const [maxRemembered, remembering] = [10_000, 5 * 60_000]

export function createLoad({
  maxSearches,
  maxDelay,
  delay = loopDelay,
  clock = systemClock,
}: LoadOptions): Load {
  const counts = { optimizing: 0, admitted: 0, shed: 0 }
  /** Whether a search was optimized. */
  const remembered = new LRUCache<string, boolean>({ max: maxRemembered, ttl: remembering, perf: clock })
  const [first, behind] = [new Set<() => void>(), new Set<() => void>()]

  function shed(reason: string): Shed {
    counts.shed++
    return { reason, isShed: true }
  }

  const place: Admission = {
    leave() {
      counts.optimizing--
      const [next] = [...first, ...behind]
      next?.()
    },
  }

  function placeFor(key: string): Admission {
    counts.admitted++
    remembered.set(key, true)
    return place
  }

  /** The further searches of a request come with the first one. */
  function spare(isFurther: boolean): Admission | Shed {
    const most = isFurther ? maxSearches / 2 : 1
    if (counts.optimizing >= most || delay() > maxDelay / 4) return { reason: noSpare, isShed: true }
    counts.optimizing++
    return place
  }

  /** Waits in a queue for a place. False if there was none in time. */
  function waits(queue: Set<() => void>, ms: number, signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const end = (hasPlace: boolean): void => {
        queue.delete(enter)
        cancel()
        stopWatching()
        resolve(hasPlace)
      }
      // The place is taken before anyone else can ask for it.
      const enter = (): void => {
        counts.optimizing++
        end(true)
      }
      queue.add(enter)
      const cancel = clock.after(ms, () => end(false))
      const stopWatching = onAbort(signal, () => end(false))
    })
  }

  async function enter(
    { key, isBehind, isSpare = false, signal }: Entering,
    isFurther = false,
  ): Promise<Admission | Shed> {
    if (isSpare) return spare(isFurther)
    const before = remembered.get(key)
    if (before === false && isBehind) return shed('its first page passed through because of load')
    const refuse = (reason: string): Shed => {
      // Of a later page, the first one may have been optimized by another process.
      if (before === undefined && !isBehind) remembered.set(key, false)
      return shed(reason)
    }
    if (before !== true && !isFurther && counts.optimizing > 0 && delay() > maxDelay)
      return refuse('the event loop is late')
    if (counts.optimizing < maxSearches) {
      counts.optimizing++
      return placeFor(key)
    }
    const [queue, ms, most] =
      before === true ? [first, longPatience, maxContinued] : [behind, patience, maxWaiting]
    // What was refused a moment ago is not decided anew while there is no place. New searches keep no further page from waiting.
    const mayWait = before !== false && queue.size < most * maxSearches && !signal.aborted
    if (mayWait && (await waits(queue, ms, signal))) return placeFor(key)
    return refuse(`too many searches at a time (more than ${maxSearches})`)
  }

  return { counts, shed, enter }
}

/** Maximum number of searches of one `_msearch` that are optimized. The rest pass through. */
const maxSearchesOfMsearch = 10

type Reason = { readonly reason: string }

/**
 * The searches of one request, each with a place or with the reason why it passes through. `leave` gives the places back.
 *
 * @param enteringOf what is remembered of a search
 */
export async function admitEach<T extends object>(
  load: Load,
  all: readonly (T | Reason)[],
  enteringOf: (one: T, place: number) => Entering,
): Promise<{ readonly understood: readonly (T | Reason)[]; leave(): void } | Reason> {
  const asking = all.flatMap((one, at) => ('reason' in one ? [] : [{ at, asked: enteringOf(one, at) }]))
  const first = asking[0] && (await load.enter(asking[0].asked))
  const isIn = first !== undefined && isAdmission(first)
  const others = asking
    .slice(1)
    .map(({ asked }, place) =>
      place + 1 < maxSearchesOfMsearch
        ? load.enter(asked, isIn)
        : load.shed(`${maxSearchesOfMsearch} searches of an _msearch are optimized`),
    )
  const given = first === undefined ? [] : [first, ...(await Promise.all(others))]
  const places = given.filter(isAdmission)
  const shed = new Map(given.flatMap((one, place) => (isShed(one) ? [[asking[place]!.at, one]] : [])))
  const understood = all.map((one, at) => shed.get(at) ?? one)
  if (places.length === 0)
    return understood.filter((one) => 'reason' in one).find(isShed) ?? reasonOf(understood)
  return {
    understood,
    leave() {
      for (const place of places) place.leave()
    },
  }
}

/** Of a request that passes through as a whole. */
const reasonOf = ([one, ...others]: readonly (object | Reason)[]): Reason =>
  one !== undefined && 'reason' in one && others.length === 0
    ? one
    : { reason: 'none of its searches can be optimized' }

const isAdmission = (one: Admission | Shed): one is Admission => 'leave' in one

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
