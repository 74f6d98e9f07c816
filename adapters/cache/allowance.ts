import type { Clock } from '../../src/runtime/clock.ts'

/** Waits for work, and gives `late` instead of its result once the time is used up. The work goes on. It must not reject. */
export type WaitFor = <T>(work: Promise<T>, late: T) => Promise<T>

/** The time that one caller waits for the store: `ms` milliseconds for all its requests together. */
export function allowance(clock: Clock, ms: number): WaitFor {
  let left = ms
  return async (work, late) => {
    if (left <= 0) return late
    const start = clock.now()
    let cancel = (): void => {}
    const over = new Promise<typeof late>((resolve) => {
      cancel = clock.after(left, () => resolve(late))
    })
    const result = await Promise.race([work, over])
    cancel()
    left -= clock.now() - start
    return result
  }
}
