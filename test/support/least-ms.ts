/** How long a process takes at best, which others that use the machine do not change. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** Runs Node with these arguments. */
export const node = (...argv: readonly string[]) => promisify(execFile)(process.execPath, argv)

/** The least of several runs, in milliseconds: others that use the machine only ever make one longer. */
export async function leastMs(runs: number, ...argv: readonly string[]): Promise<number> {
  let least = Infinity
  for (let run = 0; run < runs; run++) {
    const startMs = performance.now()
    await node(...argv)
    least = Math.min(least, performance.now() - startMs)
  }
  return least
}
