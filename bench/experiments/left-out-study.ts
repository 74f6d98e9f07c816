/** Trained without a collection and used on it, against the policy that was trained with a part of it. */
import type { Example } from '../../policies/local/training/example.ts'
import type { Study } from './experiments.ts'
import { type LeftOutRun, leftOutNames } from './left-out.ts'
import type { SystemRecord } from './record.ts'
import { recordsOf } from './records.ts'
import type { SeedRun } from './seed-run.ts'
import { spreadRecord } from './spread-record.ts'
import { type Statistics, study } from './study.ts'
import { systemNames } from './systems.ts'

/**
 * One group for each collection that was left out.
 *
 * @param all examples of all collections
 */
export function leftOutStudy(
  leftOut: readonly LeftOutRun[],
  runs: readonly SeedRun[],
  all: readonly Example[],
  statistics: Statistics,
): Study {
  const bySeed = runs.map(({ seed, systems }) => {
    const whole: Record<string, SystemRecord> = {}
    for (const name of [systemNames.learned, systemNames.asIs, systemNames.fixed])
      if (systems[name] !== undefined) whole[name] = systems[name]
    for (const { examples, seeds } of leftOut) {
      const own = seeds.find((run) => run.seed === seed)
      for (const [name, record] of Object.entries(own?.systems ?? {}))
        whole[name] = spreadRecord(record, examples, whole[name], all.length)
    }
    return whole
  })
  const systems = [leftOutNames.transferred, systemNames.learned, leftOutNames.fixed, systemNames.asIs]
  const groups = leftOut.flatMap(({ collections, examples }) =>
    collections.map((name) => ({
      name: collections.length === 1 ? name : `${name}, with all of its corpus`,
      examples: examples.filter((index) => all[index]!.collection === name),
    })),
  )
  return study(
    { records: recordsOf(bySeed), groups, systems, reference: leftOutNames.transferred },
    statistics,
  )
}
