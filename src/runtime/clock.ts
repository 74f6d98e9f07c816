/** Injected time: the optimizer and its tests read the time and wait only through a `Clock`. */
export interface Clock {
  /** Milliseconds since some fixed moment; never goes back. */
  now(): number
  /**
   * Calls `callback` once after `ms` milliseconds. Returns a function that cancels it. If the process was too busy to call
   * on time, the system's clock waits once more, for as long as it was late, so that an answer that has already arrived is
   * read first.
   */
  after(ms: number, callback: () => void): () => void
}

/** Milliseconds, 25 days: Node fires longer timers at once. */
const maxTimerMs = 2 ** 31 - 1

/** Milliseconds: a timer that fires later than this was held up by a busy process. */
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
