/** Time, injected: the optimizer and its tests read and wait through a `Clock` and through nothing else. */
export interface Clock {
  /** Milliseconds since some fixed moment; never goes back. */
  now(): number
  /** Calls back once after `ms` milliseconds. Returns what cancels it. */
  after(ms: number, callback: () => void): () => void
}

/** Node's timers fire at once above this: 25 days. */
const longest = 2 ** 31 - 1

export const systemClock: Clock = {
  now: () => performance.now(),
  after(ms, callback) {
    const timer = setTimeout(callback, Math.min(ms, longest))
    return () => clearTimeout(timer)
  },
}
