/** What several benchmarks measure in the same way. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { collectGarbage } from '../test/support/collect-garbage.ts'

type Work = () => unknown

/**
 * Milliseconds of two ways to do the same, call by call, one right after the other: a busy machine changes from second to second.
 * Which goes first alternates, since the second finds the caches warm.
 *
 * @param waysOf what is timed in this call, which is negative while it warms up
 */
export async function inTurns(
  calls: number,
  warmUp: number,
  waysOf: (call: number) => readonly [Work, Work],
): Promise<[number[], number[]]> {
  const times: [number[], number[]] = [[], []]
  for (let call = -warmUp; call < calls; call++) {
    const ways = waysOf(call)
    for (const which of call % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      const start = performance.now()
      await ways[which]()
      if (call >= 0) times[which].push(performance.now() - start)
    }
  }
  return times
}

/** Megabytes that are held after a collection: on the heap, and resident. */
export function heldMegabytes(): { readonly heap: number; readonly resident: number } {
  collectGarbage()
  const { heapUsed, rss } = process.memoryUsage()
  return { heap: heapUsed / 2 ** 20, resident: rss / 2 ** 20 }
}

/** Works in a folder that is removed afterwards. */
export async function inFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'querent-bench-'))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
