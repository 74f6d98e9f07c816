/** Time, injected: the optimizer and its tests read and wait through a `Clock` and through nothing else. */
export interface Clock {
  /** Milliseconds since some fixed moment; never goes back. */
  now(): number
  /**
   * Calls back once after `ms` milliseconds. Returns what cancels it. Where the process was too busy to be on time, the
   * system's clock waits once more for as long as it was late: an answer that has arrived meanwhile is read first.
   */
  after(ms: number, callback: () => void): () => void
}

/** Node's timers fire at once above this: 25 days. */
const longest = 2 ** 31 - 1

/** Milliseconds: a timer that is later than this was held up. */
const punctual = 10

export const systemClock: Clock = {
  now: () => performance.now(),
  after(ms, callback) {
    const due = performance.now() + ms
    let timer = setTimeout(
      () => {
        const late = performance.now() - due
        if (late < punctual) callback()
        else timer = setTimeout(callback, Math.min(late, longest))
      },
      Math.min(ms, longest),
    )
    return () => clearTimeout(timer)
  },
}
