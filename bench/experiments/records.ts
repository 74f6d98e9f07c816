/** What systems did in all seeds, as a study takes it. */
import type { SystemRecord } from './record.ts'

/** System → its records, one a seed, in the order of the seeds. A seed that did not measure it has none. */
export type Records = ReadonlyMap<string, readonly (SystemRecord | undefined)[]>

/** @param seeds of each seed: system → its record */
export function recordsOf(seeds: readonly Readonly<Record<string, SystemRecord>>[]): Records {
  const systems = new Set(seeds.flatMap((ofSeed) => Object.keys(ofSeed)))
  return new Map([...systems].map((system) => [system, seeds.map((ofSeed) => ofSeed[system])]))
}
