/** From what systems did on each query to what can be said of them: paired, with corrected tests and intervals. */
import { bootstrapMean, holm, randomizationTest } from '../../src/evaluation/significance.ts'
import { mean } from '../../src/learn/statistics.ts'
import type { Cell, Cells, Difference, Group, Row, Study } from './experiments.ts'
import { type MeasureName, measureNames } from './measures.ts'
import type { Column, SystemRecord } from './record.ts'
import type { Records } from './records.ts'

export interface QueryGroup {
  readonly name: string
  /** Places of queries among the examples. */
  readonly examples: readonly number[]
}

export interface Statistics {
  /** Of a test. */
  readonly rounds: number
  /** Of an interval. */
  readonly samples: number
  readonly alpha: number
}

export interface StudyInput {
  readonly records: Records
  readonly groups: readonly QueryGroup[]
  /** In the order of the tables. Those without a record are left out. */
  readonly systems: readonly string[]
  readonly reference: string
  /** Queries count only in seeds that have measured this system on them. */
  readonly where?: string
}

const columns = ['alone', 'reranked'] as const

type ColumnName = (typeof columns)[number]

/** Values of some queries: for each seed one a query, or null. */
type Values = readonly (readonly (number | null)[])[]

export function study(
  { records, groups, systems, reference, where }: StudyInput,
  statistics: Statistics,
): Study {
  const mask = where === undefined ? undefined : records.get(where)
  const valuesOf = (
    system: string,
    examples: readonly number[],
    of: (record: SystemRecord) => Column,
  ): Values =>
    (records.get(system) ?? []).map((record, seed) => {
      const measured = mask === undefined ? undefined : mask[seed]?.subQueries
      const values = record && of(record)
      return examples.map((example) =>
        mask !== undefined && (measured?.[example] ?? null) === null ? null : (values?.[example] ?? null),
      )
    })
  const known = systems.filter((system) => records.has(system))

  /** Differences of all rows and groups of one column and measure are corrected together. */
  function cellsOf(column: ColumnName, name: MeasureName): (Cell | undefined)[][] {
    const raw = groups.map(({ examples }) => {
      const own = valuesOf(reference, examples, (record) => record[column][name]!)
      return known.map((system) => {
        const values = valuesOf(system, examples, (record) => record[column][name]!)
        const score = scoreOf(values)
        if (score === undefined || system === reference) return { score }
        return { score, tested: testOf(own, values, statistics) }
      })
    })
    const corrected = holm(raw.flat().flatMap(({ tested }) => (tested === undefined ? [] : [tested.p])))
    let next = 0
    return raw.map((rows) =>
      rows.map(({ score, tested }) => {
        if (score === undefined || tested === undefined) return score
        const pHolm = corrected[next++]!
        const { alpha } = statistics
        const verdict = pHolm >= alpha ? 'unclear' : tested.mean > 0 ? 'better' : 'worse'
        return { ...score, difference: { ...tested, pHolm, verdict } }
      }),
    )
  }

  const cells = Object.fromEntries(
    columns.map((column) => [column, measureNames.map((name) => cellsOf(column, name))]),
  ) as Record<ColumnName, (Cell | undefined)[][][]>
  return {
    reference,
    alpha: statistics.alpha,
    groups: groups.map(
      ({ name, examples }, group): Group => ({
        name,
        queries: perQuery(valuesOf(reference, examples, (record) => record.subQueries)).length,
        reranked: perQuery(valuesOf(reference, examples, (record) => record.reranked.reward!)).length,
        rows: known.flatMap((system, row) => rowOf(system, examples, group, row) ?? []),
      }),
    ),
  }

  function rowOf(system: string, examples: readonly number[], group: number, row: number): Row | undefined {
    const pick = (column: ColumnName): Cells | undefined => {
      const picked = measureNames.map((_, measure) => cells[column][measure]![group]![row])
      if (picked.includes(undefined)) return undefined
      return Object.fromEntries(measureNames.map((name, measure) => [name, picked[measure]!])) as Cells
    }
    const [alone, reranked] = columns.map(pick)
    if (alone === undefined) return undefined
    const measured = (of: (record: SystemRecord) => Column): number[] =>
      valuesOf(system, examples, of)
        .flat()
        .filter((value) => value !== null)
    const subQueries = measured((record) => record.subQueries)
    const secondStage = measured((record) => record.secondStage)
    const requestTwo = measured((record) => record.requestTwo)
    const shareOfNone = (values: readonly number[]): number =>
      mean(values.map((value) => (value === 0 ? 1 : 0)))
    return {
      name: system,
      alone,
      ...(reranked && { reranked }),
      subQueries: mean(subQueries),
      leftAlone: shareOfNone(subQueries),
      oneStage: shareOfNone(secondStage),
      oneRequest: shareOfNone(requestTwo),
    }
  }
}

/** Each query's mean over the seeds that measured it; queries that none measured are left out. */
function perQuery(values: Values): number[] {
  const means: number[] = []
  for (let query = 0; query < (values[0]?.length ?? 0); query++) {
    const measured = values.flatMap((ofSeed) => ofSeed[query] ?? [])
    if (measured.length > 0) means.push(mean(measured))
  }
  return means
}

function scoreOf(values: Values): Cell | undefined {
  const queries = perQuery(values)
  if (queries.length === 0) return undefined
  const seeds = values
    .map((ofSeed) => ofSeed.filter((value) => value !== null))
    .filter((ofSeed) => ofSeed.length > 0)
    .map(mean)
  return { mean: mean(queries), deviation: deviationOf(seeds) }
}

/** Of a sample: with n − 1. 0 for less than two numbers. */
export function deviationOf(values: readonly number[]): number {
  if (values.length < 2) return 0
  const middle = mean(values)
  return Math.sqrt(values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (values.length - 1))
}

/** The first less the second, each query's difference the mean over the seeds that measured both. */
function testOf(
  a: Values,
  b: Values,
  { rounds, samples }: Statistics,
): Omit<Difference, 'pHolm' | 'verdict'> | undefined {
  const differences = perQuery(
    a.map((ofSeed, seed) =>
      ofSeed.map((value, query) => {
        const other = b[seed]?.[query] ?? null
        return value === null || other === null ? null : value - other
      }),
    ),
  )
  if (differences.length === 0) return undefined
  const zeros = differences.map(() => 0)
  const { mean: difference, low, high } = bootstrapMean(differences, { rounds: samples })
  return { mean: difference, low, high, p: randomizationTest(differences, zeros, { rounds }).p }
}
