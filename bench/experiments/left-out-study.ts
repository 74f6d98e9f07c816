/** Trained without a collection and used on it, against the policy that was trained with a part of it. */
import type { Study } from './experiments.ts'
import { type LeftOutRun, leftOutNames } from './left-out.ts'
import type { SystemRecord } from './record.ts'
import { recordsOf } from './records.ts'
import type { SeedRun } from './seed-run.ts'
import { spreadRecord } from './spread-record.ts'
import { type Statistics, study } from './study.ts'
import { systemNames } from './systems.ts'

/**
 * One group a collection that was left out.
 *
 * @param size how many examples there are, of all collections
 */
export function leftOutStudy(
  leftOut: readonly LeftOutRun[],
  runs: readonly SeedRun[],
  size: number,
  statistics: Statistics,
): Study {
  const bySeed = runs.map(({ seed, systems }) => {
    const whole: Record<string, SystemRecord> = {}
    for (const name of [systemNames.learned, systemNames.asIs, systemNames.fixed])
      if (systems[name] !== undefined) whole[name] = systems[name]
    for (const { examples, seeds } of leftOut) {
      const own = seeds.find((run) => run.seed === seed)
      for (const [name, record] of Object.entries(own?.systems ?? {}))
        whole[name] = spreadRecord(record, examples, whole[name], size)
    }
    return whole
  })
  const systems = [leftOutNames.transferred, systemNames.learned, leftOutNames.fixed, systemNames.asIs]
  const groups = leftOut.map(({ collection, examples }) => ({ name: collection, examples }))
  return study(
    { records: recordsOf(bySeed), groups, systems, reference: leftOutNames.transferred },
    statistics,
  )
}
