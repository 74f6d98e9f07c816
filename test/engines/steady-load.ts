/**
 * So many searches a second, whatever comes of them: none waits for another, as those of different users do not. On a
 * machine that is too slow for so many, only `most` are under way at a time: beyond that, the test would measure the load
 * and not the engine.
 */
const most = 20

export interface Outcome {
  /** When it was started, by `performance.now()`. */
  readonly at: number
  readonly ms: number
  /** Why it failed; absent where it did not. */
  readonly failure?: string
}

interface SteadyLoad {
  /** Resolves when that many have been started from now on. */
  more(count: number): Promise<void>
  /** Starts no more, and waits for those under way. */
  stop(): Promise<readonly Outcome[]>
}

/** @param search is given a number that counts from 0, and rejects where it failed */
export function startLoad(perSecond: number, search: (place: number) => Promise<void>): SteadyLoad {
  const running: Promise<Outcome>[] = []
  let underWay = 0
  let waiting: { readonly count: number; readonly resolve: () => void }[] = []
  const timer = setInterval(() => {
    if (underWay === most) return
    underWay++
    running.push(timed(() => search(running.length)).finally(() => underWay--))
    const reached = waiting.filter(({ count }) => running.length >= count)
    waiting = waiting.filter((one) => !reached.includes(one))
    for (const { resolve } of reached) resolve()
  }, 1000 / perSecond)
  return {
    more: (count) => new Promise((resolve) => void waiting.push({ count: running.length + count, resolve })),
    stop() {
      clearInterval(timer)
      return Promise.all(running)
    },
  }
}

async function timed(search: () => Promise<void>): Promise<Outcome> {
  const at = performance.now()
  const failure = await search().then(
    () => undefined,
    (error: unknown) => String(error).slice(0, 300),
  )
  return { at, ms: performance.now() - at, ...(failure !== undefined && { failure }) }
}

/** Of outcomes, in whole milliseconds: `12/80/95` for the median, the 99th of a hundred and the slowest. */
export function percentiles(outcomes: readonly Outcome[]): string {
  const sorted = outcomes.map(({ ms }) => ms).toSorted((one, other) => one - other)
  const at = (share: number): number => Math.round(sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN)
  return [at(0.5), at(0.99), at(1)].join('/')
}
