/** From the runs of all seeds to what they say together. */

import type { RewardOptions } from '../../policies/local/training/action-space.ts'
import type { Example } from '../../policies/local/training/example.ts'
import { mean } from '../../src/learn/statistics.ts'
import { curveOf } from './curve.ts'
import { decisionsOf } from './decisions.ts'
import { equalRivals, requestCurve, withEqualRequests } from './equal-requests.ts'
import type { Experiments, Study } from './experiments.ts'
import type { LeftOutRun } from './left-out.ts'
import { leftOutStudy } from './left-out-study.ts'
import { matrixStudy } from './matrix-study.ts'
import { allQueries, byCollection, byDifficulty, byGolds, byType } from './query-groups.ts'
import { recordsOf } from './records.ts'
import type { MatrixRun, RetrieverSet } from './retriever-matrix.ts'
import type { SeedRun } from './seed-run.ts'
import { type QueryGroup, study } from './study.ts'
import { systemNames } from './systems.ts'
import { ablationsOf, defaultCurriculum, filters as filterVariants, fixedNumbers } from './variants.ts'

export interface SummaryOptions {
  /** Random assignments of signs that a test tries. Default: 10,000. */
  readonly rounds?: number | undefined
  /** Samples that an interval is made from. Default: 2,000. */
  readonly samples?: number | undefined
  /** Corrected p-values below it are a difference. Default: 0.05. */
  readonly alpha?: number | undefined
}

export interface Runs {
  readonly examples: readonly Example[]
  readonly sets: readonly RetrieverSet[]
  readonly reward: RewardOptions
  readonly rerankedParts: number
  /** In the order of the seeds, as all of them. */
  readonly runs: readonly SeedRun[]
  readonly leftOut: readonly LeftOutRun[]
  readonly matrix: readonly MatrixRun[]
}

/** The same runs and options give the same summary. */
export function summarize(
  { examples, sets, reward, rerankedParts, runs, leftOut, matrix }: Runs,
  { rounds = 10_000, samples = 2000, alpha = 0.05 }: SummaryOptions = {},
): Experiments {
  const statistics = { rounds, samples, alpha }
  const records = withEqualRequests(recordsOf(runs.map(({ systems }) => systems)))
  const everything = allQueries(examples)
  const collections = byCollection(examples)
  const difficulties = byDifficulty(examples)
  const types = byType(runs[0]!.types)
  const reference = systemNames.learned
  const against = (groups: readonly QueryGroup[], systems: readonly string[], where?: string): Study =>
    study({ records, groups, systems, reference, ...(where !== undefined && { where }) }, statistics)
  const few = [reference, systemNames.asIs, systemNames.fixed, systemNames.contextFree]
  const isMeasured = (system: string | undefined): system is string =>
    system !== undefined && records.has(system)
  const ablations = ablationsOf(defaultCurriculum)
  const [ablation, number, filter] = [ablations, fixedNumbers, filterVariants].map(([first]) => first?.name)
  const names = (variants: readonly { readonly name: string }[]): string[] => variants.map(({ name }) => name)
  const counts = (values: readonly string[]): Map<string, number> =>
    values.reduce((sums, value) => sums.set(value, (sums.get(value) ?? 0) + 1), new Map<string, number>())
  const filters = runs.flatMap(({ filtered }) => filtered ?? [])
  const times = runs.find((run) => run.times !== undefined)?.times
  return {
    version: 1,
    setup: {
      collections: collections.map(({ name, examples }) => ({ name, queries: examples.length })),
      retrievers: [...new Set(examples[0]!.lists.map(({ retriever }) => retriever))],
      seeds: runs.map(({ seed }) => seed),
      parts: runs[0]!.curves.length,
      rerankedParts,
      reward,
      ...statistics,
    },
    comparison: against([everything, ...collections], Object.values(systemNames)),
    equalRequests: against([everything, ...collections], [reference, systemNames.asIs, ...equalRivals]),
    requestCurve: requestCurve(records),
    curve: curveOf(runs.flatMap(({ curves }) => curves)),
    decisions: {
      byType: decisionsOf(runs, types),
      byCollection: decisionsOf(runs, [everything, ...collections]),
    },
    fixedSets: [...counts(runs.flatMap(({ fixedSets }) => fixedSets))]
      .map(([template, parts]) => ({ template, parts }))
      .sort((a, b) => b.parts - a.parts),
    byType: against(types, few),
    byGolds: against(byGolds(examples), few),
    byDifficulty: against(difficulties, few),
    ...(isMeasured(ablation) && {
      ablations: against([everything, ...collections], [reference, ...names(ablations)], ablation),
    }),
    ...(isMeasured(number) && {
      numbers: against(
        [everything, ...difficulties, ...collections],
        [reference, systemNames.asIs, ...names(fixedNumbers)],
        number,
      ),
    }),
    ...(isMeasured(filter) && {
      filters: against([everything, ...collections], [reference, ...names(filterVariants)], filter),
    }),
    ...(filters.length > 0 && {
      filtered: { kept: mean(filters.map(({ kept }) => kept)), of: mean(filters.map(({ of }) => of)) },
    }),
    ...(leftOut.length > 0 && {
      leftOut: leftOutStudy(leftOut, runs, examples, statistics),
    }),
    ...(matrix.length > 0 && {
      retrievers: matrixStudy(matrix, sets, statistics),
    }),
    ...(times && { times }),
    seconds: Object.fromEntries(
      Object.keys(runs[0]!.seconds).map((what) => [
        what,
        mean(runs.map(({ seconds }) => seconds[what as keyof typeof seconds])),
      ]),
    ),
  }
}
