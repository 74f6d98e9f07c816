/** What took how long. */
export type Seconds = Record<'second stage' | 'candidates' | 'decision' | 'gate' | 're-ranking', number>

/** Adds the time of some work. */
export async function timed<T>(seconds: Seconds, what: keyof Seconds, work: () => Promise<T>): Promise<T> {
  const start = performance.now()
  const done = await work()
  seconds[what] += (performance.now() - start) / 1000
  return done
}
