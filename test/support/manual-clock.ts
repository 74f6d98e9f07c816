/** A clock whose time passes only when a test says so. */
import type { Clock } from '../../src/runtime/clock.ts'

export interface ManualClock extends Clock {
  /** Lets `ms` milliseconds pass: calls back what falls due, in order, and lets promises settle after each. */
  advance(ms: number): Promise<void>
  /** Timers that are still waiting. */
  readonly waiting: number
}

export function manualClock(): ManualClock {
  let time = 0
  let timers: { readonly due: number; readonly callback: () => void }[] = []
  return {
    now: () => time,
    after(ms, callback) {
      const timer = { due: time + ms, callback }
      timers.push(timer)
      return () => {
        timers = timers.filter((other) => other !== timer)
      }
    },
    async advance(ms) {
      const end = time + ms
      await settled()
      for (;;) {
        const next = timers.filter(({ due }) => due <= end).sort((a, b) => a.due - b.due)[0]
        if (next === undefined) break
        timers = timers.filter((other) => other !== next)
        time = Math.max(time, next.due)
        next.callback()
        await settled()
      }
      time = end
    },
    get waiting() {
      return timers.length
    },
  }
}

/** A turn of the event loop: every promise that can settle has settled. */
export const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
