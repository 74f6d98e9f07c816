/** Injectable time: the optimizer and its tests read the time and wait only through a `Clock`. */
export interface Clock {
  /** Milliseconds since a fixed moment. Never decreases. */
  now(): number
  /**
   * Calls `callback` once after `ms` milliseconds. Returns a function that cancels it. If a busy process fires the timer
   * late, the system clock waits once more, for as long as the delay, so that the process first reads an answer that has
   * already arrived.
   */
  after(ms: number, callback: () => void): () => void
}

/** Milliseconds (25 days). Node fires longer timers immediately. */
const maxTimerMs = 2 ** 31 - 1

/** Milliseconds. A timer that fires later than this was delayed by a busy process. */
const maxLateness = 10

export const systemClock: Clock = {
  now: () => performance.now(),
  after(ms, callback) {
    const due = performance.now() + ms
    let timer = setTimeout(
      () => {
        const lateness = performance.now() - due
        if (lateness < maxLateness) callback()
        else timer = setTimeout(callback, Math.min(lateness, maxTimerMs))
      },
      Math.min(ms, maxTimerMs),
    )
    return () => clearTimeout(timer)
  },
}
