/** From the runs of all seeds to what they say together. */
import { mean } from '../../evaluation/statistics.ts'
import type { Example } from '../example.ts'
import type { RewardOptions } from '../prepared.ts'
import { curveOf } from './curve.ts'
import { decisionsOf } from './decisions.ts'
import type { Experiments, Study } from './experiments.ts'
import { type LeftOutRun, leftOutNames } from './left-out.ts'
import { systemNames } from './part-run.ts'
import { queryTypes } from './query-type.ts'
import type { Column, SystemRecord } from './record.ts'
import { type MatrixRun, type RetrieverSet, trainedOn } from './retriever-matrix.ts'
import type { SeedRun } from './seed-run.ts'
import { type QueryGroup, type Records, type Statistics, study } from './study.ts'
import { ablationsOf, defaultCurriculum, fixedNumbers } from './variants.ts'

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

/** What all queries together are called. */
export const mixture = 'all queries'

/** The same runs and options give the same summary. */
export function summarize(
  { examples, sets, reward, rerankedParts, runs, leftOut, matrix }: Runs,
  { rounds = 10_000, samples = 2000, alpha = 0.05 }: SummaryOptions = {},
): Experiments {
  const statistics = { rounds, samples, alpha }
  const records = recordsOf(runs.map(({ systems }) => systems))
  const collections = groupsBy(examples, ({ collection }) => collection)
  const everything = all(examples)
  const byDifficulty = difficulty(examples)
  const reference = systemNames.learned
  const against = (groups: readonly QueryGroup[], systems: readonly string[], where?: string): Study =>
    study({ records, groups, systems, reference, ...(where !== undefined && { where }) }, statistics)
  const few = [reference, systemNames.asIs, systemNames.fixed, systemNames.contextFree]
  const types = runs[0]!.types
  const byType = Object.keys(queryTypes).map((name) => ({
    name,
    examples: [...examples.keys()].filter((index) => types[index] === name),
  }))
  const isMeasured = (system: string | undefined): system is string =>
    system !== undefined && records.has(system)
  const ablations = ablationsOf(defaultCurriculum)
  const [ablation, number] = [ablations[0]?.name, fixedNumbers[0]?.name]
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
    curve: curveOf(runs.flatMap(({ curves }) => curves)),
    decisions: {
      byType: decisionsOf(runs, byType),
      byCollection: decisionsOf(runs, [everything, ...collections]),
    },
    fixedSets: [...counts(runs.flatMap(({ fixedSets }) => fixedSets))]
      .map(([template, parts]) => ({ template, parts }))
      .sort((a, b) => b.parts - a.parts),
    byType: against(nonEmpty(byType), few),
    byGolds: against(byGolds(examples), few),
    byDifficulty: against(byDifficulty, few),
    ...(isMeasured(ablation) && {
      ablations: against([everything, ...collections], [reference, ...names(ablations)], ablation),
    }),
    ...(isMeasured(number) && {
      numbers: against(
        [everything, ...byDifficulty, ...collections],
        [reference, systemNames.asIs, ...names(fixedNumbers)],
        number,
      ),
    }),
    ...(filters.length > 0 && {
      filtered: { kept: mean(filters.map(({ kept }) => kept)), of: mean(filters.map(({ of }) => of)) },
    }),
    ...(leftOut.length > 0 && {
      leftOut: leftOutStudy(leftOut, runs, examples.length, statistics),
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

function recordsOf(seeds: readonly Readonly<Record<string, SystemRecord>>[]): Records {
  const systems = new Set(seeds.flatMap((ofSeed) => Object.keys(ofSeed)))
  return new Map([...systems].map((system) => [system, seeds.map((ofSeed) => ofSeed[system])]))
}

const all = (examples: readonly Example[]): QueryGroup => ({ name: mixture, examples: [...examples.keys()] })

const nonEmpty = (groups: readonly QueryGroup[]): QueryGroup[] =>
  groups.filter(({ examples }) => examples.length > 0)

function groupsBy(examples: readonly Example[], nameOf: (example: Example) => string): QueryGroup[] {
  const groups = new Map<string, number[]>()
  examples.forEach((example, index) => {
    const name = nameOf(example)
    groups.set(name, [...(groups.get(name) ?? []), index])
  })
  return [...groups].map(([name, own]) => ({ name, examples: own }))
}

function byGolds(examples: readonly Example[]): QueryGroup[] {
  const groups = groupsBy(examples, ({ golds }) =>
    golds.size >= 4
      ? '4 or more relevant documents'
      : golds.size === 1
        ? '1 relevant document'
        : `${golds.size} relevant documents`,
  )
  return groups.sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** Where the query as it is has all that is relevant among its first documents, there is little to win. */
const easyDepth = 10

function difficulty(examples: readonly Example[]): QueryGroup[] {
  const groups = groupsBy(examples, ({ lists, golds }) => {
    const first = new Set(lists.flatMap(({ hits }) => hits.slice(0, easyDepth).map(({ docid }) => docid)))
    return [...golds.keys()].every((docid) => first.has(docid)) ? 'easy' : 'hard'
  })
  return groups.sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** Trained without a collection and used on it, against the policy that was trained with a part of it. */
function leftOutStudy(
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
        whole[name] = spread(record, examples, whole[name], size)
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

/** A record of some examples as one of all, onto what is known of others. */
function spread(
  record: SystemRecord,
  examples: readonly number[],
  known: SystemRecord | undefined,
  size: number,
): SystemRecord {
  const column = (of: Column, onto: Column | undefined): Column => {
    const whole = onto === undefined ? new Array<number | null>(size).fill(null) : [...onto]
    examples.forEach((example, row) => {
      whole[example] = of[row]!
    })
    return whole
  }
  const columns = (of: SystemRecord['alone'], onto: SystemRecord['alone'] | undefined) =>
    Object.fromEntries(Object.entries(of).map(([name, values]) => [name, column(values, onto?.[name])]))
  return {
    alone: columns(record.alone, known?.alone),
    reranked: columns(record.reranked, known?.reranked),
    subQueries: column(record.subQueries, known?.subQueries),
    secondStage: column(record.secondStage, known?.secondStage),
    requestTwo: column(record.requestTwo, known?.requestTwo),
  }
}

const sameRetriever = 'trained on this retriever'

/** One group a retriever that is searched, for all queries and for each collection. */
function matrixStudy(
  matrix: readonly MatrixRun[],
  sets: readonly RetrieverSet[],
  statistics: Statistics,
): Study {
  const others = new Set<string>()
  const size = sets[0]!.examples.length
  const groups: QueryGroup[] = []
  const bySeed = matrix.map(() => ({}) as Record<string, SystemRecord>)
  sets.forEach(({ name, examples }, place) => {
    const own = [all(examples), ...groupsBy(examples, ({ collection }) => collection)]
    const at = (index: number): number => place * size + index
    for (const group of own) groups.push({ name: `${name}, ${group.name}`, examples: group.examples.map(at) })
    matrix.forEach(({ usedOn }, seed) => {
      for (const [system, record] of Object.entries(usedOn[name] ?? {})) {
        const called = system === trainedOn(name) ? sameRetriever : system
        if (called !== sameRetriever && called !== systemNames.asIs) others.add(called)
        const whole = bySeed[seed]!
        whole[called] = spread(record, [...examples.keys()].map(at), whole[called], size * sets.length)
      }
    })
  })
  return study(
    {
      records: recordsOf(bySeed),
      groups,
      systems: [sameRetriever, ...others, systemNames.asIs],
      reference: sameRetriever,
    },
    statistics,
  )
}
