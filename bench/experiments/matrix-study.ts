/** The policy of a retriever used on it, against the policies of the others. */
import type { Study } from './experiments.ts'
import { allQueries, byCollection } from './query-groups.ts'
import type { SystemRecord } from './record.ts'
import { recordsOf } from './records.ts'
import { type MatrixRun, type RetrieverSet, trainedOn } from './retriever-matrix.ts'
import { spreadRecord } from './spread-record.ts'
import { type QueryGroup, type Statistics, study } from './study.ts'
import { systemNames } from './systems.ts'

const sameRetriever = 'trained on this retriever'

/**
 * One group a retriever that is searched, for all queries and for each collection. Each retriever's queries count as queries of
 * their own, so that all of them are one study.
 */
export function matrixStudy(
  matrix: readonly MatrixRun[],
  sets: readonly RetrieverSet[],
  statistics: Statistics,
): Study {
  const others = new Set<string>()
  const size = sets[0]!.examples.length
  const groups: QueryGroup[] = []
  const bySeed = matrix.map(() => ({}) as Record<string, SystemRecord>)
  sets.forEach(({ name, examples }, place) => {
    const at = (index: number): number => place * size + index
    for (const group of [allQueries(examples), ...byCollection(examples)])
      groups.push({ name: `${name}, ${group.name}`, examples: group.examples.map(at) })
    matrix.forEach(({ usedOn }, seed) => {
      for (const [system, record] of Object.entries(usedOn[name] ?? {})) {
        const called = system === trainedOn(name) ? sameRetriever : system
        if (called !== sameRetriever && called !== systemNames.asIs) others.add(called)
        const whole = bySeed[seed]!
        whole[called] = spreadRecord(record, [...examples.keys()].map(at), whole[called], size * sets.length)
      }
    })
  })
  const systems = [sameRetriever, ...others, systemNames.asIs]
  return study({ records: recordsOf(bySeed), groups, systems, reference: sameRetriever }, statistics)
}
