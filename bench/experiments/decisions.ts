/** What the learned policy decided, for kinds of queries. */
import { mean } from '../../src/learn/statistics.ts'
import type { DecisionGroup } from './experiments.ts'
import type { SeedRun } from './seed-run.ts'
import type { QueryGroup } from './study.ts'
import { systemNames } from './systems.ts'
import { asIs, hasSlot, slotNames } from './template.ts'

/** Kinds of slots, each with the places of its slots: `bridge 1` and `bridge 2` are of one kind. */
const slotKinds = slotNames.reduce((kinds, name, place) => {
  const kind = name.replace(/ \d+$/, '')
  return kinds.set(kind, [...(kinds.get(kind) ?? []), place])
}, new Map<string, readonly number[]>())

/** Over all seeds. Groups without queries are left out. */
export function decisionsOf(runs: readonly SeedRun[], groups: readonly QueryGroup[]): DecisionGroup[] {
  return groups
    .filter(({ examples }) => examples.length > 0)
    .map(({ name, examples }) => {
      const each = runs.flatMap(({ chosen, systems }) => {
        const { subQueries, secondStage } = systems[systemNames.learned]!
        return examples.map((example) => ({
          template: chosen[example]!,
          subQueries: subQueries[example] ?? 0,
          secondStage: secondStage[example] ?? 0,
        }))
      })
      const share = (holds: (one: (typeof each)[number]) => boolean): number =>
        mean(each.map((one) => (holds(one) ? 1 : 0)))
      return {
        name,
        queries: examples.length,
        leftAlone: share(({ subQueries }) => subQueries === 0),
        oneStage: share(({ secondStage }) => secondStage === 0),
        subQueries: mean(each.map(({ subQueries }) => subQueries)),
        parts: {
          'the query': share(({ template }) => (template & asIs) !== 0),
          ...Object.fromEntries(
            [...slotKinds].map(([kind, places]) => [
              kind,
              share(({ template }) => places.some((place) => hasSlot(template, place))),
            ]),
          ),
        },
      }
    })
}
