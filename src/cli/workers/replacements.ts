/** How often workers that died are replaced. */
import type { Clock } from '../../runtime/clock.ts'

/** More deaths than this within `period` milliseconds, and something is wrong that another worker does not cure. */
export const maxDeaths = 5
const period = 60_000

/** @returns a function to call at each death: the milliseconds to wait before the next worker, or `undefined` to give up */
export function createReplacements(clock: Pick<Clock, 'now'>): () => number | undefined {
  let deaths: number[] = []
  return () => {
    const now = clock.now()
    deaths = [...deaths.filter((at) => now - at < period), now]
    if (deaths.length > maxDeaths) return undefined
    return deaths.length === 1 ? 0 : 125 * 2 ** (deaths.length - 1)
  }
}
