/** Holds an evaluation to a baseline and to floors, and names the queries that did it where a metric is too low. */
import { QuerentError } from '../errors.ts'
import { mean } from '../learn/statistics.ts'
import { shortened } from '../text/cut.ts'
import { oneLine } from '../text/one-line.ts'
import { type Baseline, checkSameData, type Measured } from './baseline.ts'
import { signed } from './report/words.ts'

/** What an evaluation must reach. */
export interface Limits {
  /** None of its metrics may fall. Default: none. */
  readonly baseline?: Baseline | undefined
  /** How far the mean of a metric may be below that of the baseline, in units of the metric. Default: 0.02. */
  readonly tolerance?: number | undefined
  /** Metric → the lowest mean that holds. Default: none. */
  readonly atLeast?: Readonly<Record<string, number>> | undefined
}

/** One metric that has a limit. Values are means over queries. */
export interface Check {
  readonly metric: string
  readonly now: number
  /** The value of the baseline. Absent if the baseline does not have the metric. */
  readonly before?: number
  /** The lowest value that holds: the floor, or the baseline less the tolerance if that is higher. */
  readonly least: number
  readonly holds: boolean
  /** If it does not hold: the queries that lost against the baseline, else those below the floor, the largest loss first. */
  readonly queries: readonly CheckedQuery[]
}

export interface CheckedQuery {
  readonly qid: string
  readonly text: string
  readonly now: number
  readonly before?: number
}

/** Smaller differences are none. Summing the same numbers in another order changes the last bits. */
const tie = 1e-9

/**
 * Checks each metric of the baseline and of the floors.
 *
 * @throws QuerentError `bad-config` if the baseline is of other queries or judgments, or a metric was not measured
 */
export function checksOf(
  measured: Measured,
  { baseline, tolerance = 0.02, atLeast = {} }: Limits,
): readonly Check[] {
  if (baseline !== undefined) checkSameData(baseline, measured)
  const old = new Map(Object.entries(baseline?.values ?? {}))
  const floors = new Map(Object.entries(atLeast))
  return [...new Set([...old.keys(), ...floors.keys()])].map((metric) => {
    const values = measured.values.get(metric)
    if (values === undefined)
      throw new QuerentError('bad-config', `${metric} has a limit and was not measured`, {
        remedy: `Measure it, too: only ${[...measured.values.keys()].join(', ')} were.`,
      })
    const before = new Map(Object.entries(old.get(metric) ?? {}))
    const was = before.size > 0 ? mean(before.values()) : undefined
    const floor = floors.get(metric) ?? -Infinity
    const least = Math.max(floor, was === undefined ? floor : was - tolerance)
    const now = mean(values.values())
    const hasFallen = was !== undefined && now < was - tolerance - tie
    const loss = (query: CheckedQuery): number => (hasFallen ? (query.before ?? 0) : floor) - query.now
    const queries = measured.queries.flatMap(({ qid = '', text }): CheckedQuery[] => {
      const [value, earlier] = [values.get(qid), before.get(qid)]
      return value === undefined ? [] : [{ qid, text, now: value, ...given(earlier) }]
    })
    const holds = now >= least - tie
    return {
      metric,
      now,
      ...given(was),
      least,
      holds,
      queries: holds
        ? []
        : queries.filter((query) => loss(query) > tie).sort((one, other) => loss(other) - loss(one)),
    }
  })
}

const given = (before: number | undefined) => (before === undefined ? {} : { before })

/** What is wrong with each metric that does not hold, in a sentence. */
export const failuresOf = (checks: readonly Check[]): string[] =>
  checks.flatMap(({ metric, now, before, least, holds }) => {
    const was = before === undefined ? '' : `, was ${before.toFixed(4)}`
    return holds ? [] : [`${metric} is ${now.toFixed(4)}${was}, and must be ${least.toFixed(4)} or more`]
  })

/** The head of the table of checks. */
export const checkColumns = ['metric', 'query', 'before', 'now', 'difference', 'at least', 'verdict'] as const

type Cell = string | { readonly shown: string; readonly exact: number }

/** How many queries of each metric are in the table. */
const shownQueries = 10

/** A row for each metric, and below one that does not hold a row for each query that did it, at most 10. */
export function checkRows(checks: readonly Check[]): Cell[][] {
  const cell = (exact: number | undefined, shown = exact?.toFixed(4)): Cell =>
    exact === undefined ? '' : { shown: shown!, exact }
  const valuesOf = ({ now, before }: Pick<Check, 'now' | 'before'>): Cell[] => {
    const difference = before === undefined ? undefined : now - before
    return [cell(before), cell(now), cell(difference, signed(difference ?? 0))]
  }
  return checks.flatMap((check) => {
    const { metric, least, holds, queries } = check
    const more = queries.length - shownQueries
    return [
      [metric, 'mean', ...valuesOf(check), cell(least), holds ? 'holds' : 'TOO LOW'],
      ...queries.slice(0, shownQueries).map((query) => {
        const name = shortened(`${query.qid}: ${oneLine(query.text)}`, 60)
        return ['', name, ...valuesOf(query), '', '']
      }),
      ...(more > 0 ? [['', `and ${more} more`, '', '', '', '', '']] : []),
    ]
  })
}
