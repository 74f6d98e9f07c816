/** Compares systems that were evaluated on the same queries. The first is the baseline that the others are held against. */
import { QuerentError } from '../errors.ts'
import type { DecisionKind, Times, Trace } from '../types.ts'
import type { Evaluation } from './evaluate.ts'
import { bootstrapDifference, bootstrapMean, holm, randomisationTest } from './significance.ts'
import type { EvaluationSummary } from './summary.ts'

export interface EvaluatedSystem {
  /** What the system is called in tables and plots. */
  readonly name: string
  readonly evaluation: Evaluation
}

/** What was compared, in words for the reader: none of it changes a number. */
export interface ComparisonSetup {
  /** The name of the collection. */
  readonly collection: string
  readonly split?: string | undefined
  /** How many hits each search was asked for. */
  readonly k: number
  /** How many hits a leg could have. */
  readonly depth: number
  /** The day of the comparison as it is to be printed. Nothing looks at the clock. */
  readonly date?: string | undefined
  /** What else all systems had in common, such as `{ retrievers: 'bm25', 'chat model': '…' }`. */
  readonly settings?: Readonly<Record<string, string>>
}

export interface CompareOptions {
  /** How many assignments of signs a test tries where it cannot try all. Default: 10,000. */
  readonly rounds?: number
  /** How many samples an interval is made from. Default: 2,000. */
  readonly samples?: number
  /** Default: 1. */
  readonly seed?: number
  /** The level that corrected p-values must stay below to be called a difference. Default: 0.05. */
  readonly alpha?: number
}

/** A system against the baseline in one metric. All differences are system − baseline. */
export interface Difference {
  readonly mean: number
  /** The paired 95 % bootstrap interval of the mean. */
  readonly low: number
  readonly high: number
  /** Two-sided, of the paired randomisation test. */
  readonly p: number
  /** `p` after Holm's correction over all comparisons of the table: every metric of every system. */
  readonly pHolm: number
  readonly verdict: Verdict
  /** How many queries are above, at and below the baseline's value. */
  readonly wins: number
  readonly ties: number
  readonly losses: number
}

/** `unclear`: the difference may be chance, and says nothing in either direction. */
export type Verdict = 'better' | 'worse' | 'unclear'

export interface MetricScore {
  readonly metric: string
  readonly mean: number
  /** The 95 % bootstrap interval of the mean. */
  readonly low: number
  readonly high: number
  /** Absent for the baseline. */
  readonly versusBaseline?: Difference
}

export interface SystemComparison {
  readonly name: string
  /** One a metric, in the order of `Comparison.metrics`. */
  readonly scores: readonly MetricScore[]
  /** Decisions, latency, tokens, failures: the evaluation's own summary. */
  readonly summary: EvaluationSummary
}

/** What one system made of one query. */
export interface QueryResult {
  /** Metric → value. */
  readonly values: Readonly<Record<string, number>>
  /** Metric → value − the baseline's value. Absent for the baseline. */
  readonly differences?: Readonly<Record<string, number>>
  /** The sub-queries' texts. */
  readonly subQueries: readonly string[]
  /** Absent where the search failed altogether. */
  readonly kind?: DecisionKind
  readonly times?: Times
  /** The code of the error because of which the original query's results were returned. */
  readonly fallback?: string
}

export interface QueryComparison {
  readonly qid: string
  /** Absent where the search failed in every system. */
  readonly text?: string
  /** How many turns of a conversation came before it. Absent where there were none. */
  readonly turns?: number
  /** One a system, in the order of `Comparison.systems`. */
  readonly results: readonly QueryResult[]
}

/** Plain data: it survives `JSON.stringify`. */
export interface Comparison {
  readonly setup: ComparisonSetup
  readonly method: Required<CompareOptions> & {
    /** How many p-values Holm's correction was made over. */
    readonly comparisons: number
  }
  readonly metrics: readonly string[]
  /** The baseline first. */
  readonly systems: readonly SystemComparison[]
  /** In the order in which they were evaluated. */
  readonly queries: readonly QueryComparison[]
}

/** Values that differ by less are ties: sums of the same numbers in another order differ in their last bits. */
const TIE = 1e-9

/**
 * Compares every system with the first one, metric by metric and query by query.
 *
 * @throws QuerentError `bad-config` for fewer than two systems, two of one name, or systems that were not evaluated on the
 * same queries with the same metrics
 */
export function compare(
  systems: readonly EvaluatedSystem[],
  setup: ComparisonSetup,
  { rounds = 10_000, samples = 2_000, seed = 1, alpha = 0.05 }: CompareOptions = {},
): Comparison {
  const [baseline, ...others] = systems
  if (baseline === undefined || others.length === 0) {
    throw new QuerentError('bad-config', `There are ${systems.length} systems to compare`, {
      remedy: 'Give at least two; the first is the baseline.',
    })
  }
  const metrics = [...baseline.evaluation.values.keys()]
  const { qids } = baseline.evaluation
  others.forEach((other, index) => {
    checkComparable(other, baseline, systems.slice(0, index + 1))
  })

  // All p-values first: Holm's correction needs them together.
  const tests = others.map(({ evaluation }) =>
    metrics.map((metric) => {
      const a = valuesOf(evaluation, metric, qids)
      const b = valuesOf(baseline.evaluation, metric, qids)
      return { a, b, p: randomisationTest(a, b, { rounds, seed }).p }
    }),
  )
  const corrected = holm(tests.flat().map(({ p }) => p))

  return {
    setup,
    method: { rounds, samples, seed, alpha, comparisons: corrected.length },
    metrics,
    systems: systems.map(({ name, evaluation }, system) => ({
      name,
      scores: metrics.map((metric, index) => {
        const test = tests[system - 1]?.[index]
        return {
          metric,
          ...bootstrapMean(valuesOf(evaluation, metric, qids), { rounds: samples, seed }),
          ...(test !== undefined && {
            versusBaseline: {
              ...bootstrapDifference(test.a, test.b, { rounds: samples, seed }),
              ...judge(test, corrected[(system - 1) * metrics.length + index]!, alpha),
            },
          }),
        }
      }),
      summary: evaluation.summary,
    })),
    queries: compareQueries(systems, metrics, qids),
  }
}

function judge(
  { a, b, p }: { readonly a: readonly number[]; readonly b: readonly number[]; readonly p: number },
  pHolm: number,
  alpha: number,
): Pick<Difference, 'p' | 'pHolm' | 'verdict' | 'wins' | 'ties' | 'losses'> {
  const differences = a.map((value, index) => value - b[index]!)
  const wins = differences.filter((value) => value > TIE).length
  const losses = differences.filter((value) => value < -TIE).length
  const sum = differences.reduce((total, value) => total + value, 0)
  const verdict = pHolm >= alpha ? 'unclear' : sum > 0 ? 'better' : 'worse'
  return { p, pHolm, verdict, wins, ties: a.length - wins - losses, losses }
}

function compareQueries(
  systems: readonly EvaluatedSystem[],
  metrics: readonly string[],
  qids: readonly string[],
): QueryComparison[] {
  const traces = systems.map(({ evaluation }) => tracesByQid(evaluation.traces))
  return qids.map((qid) => {
    const values = systems.map(({ evaluation }) =>
      metrics.map((metric) => evaluation.values.get(metric)!.get(qid)!),
    )
    const query = traces.find((ofSystem) => ofSystem.has(qid))?.get(qid)?.query
    const turns = query?.history?.length ?? 0
    return {
      qid,
      ...(query !== undefined && { text: query.text }),
      ...(turns > 0 && { turns }),
      results: systems.map((_, system) => {
        const trace = traces[system]!.get(qid)
        return {
          values: record(metrics, values[system]!),
          ...(system > 0 && {
            differences: record(
              metrics,
              values[system]!.map((value, index) => value - values[0]![index]!),
            ),
          }),
          subQueries: trace?.subQueries.map((subQuery) => subQuery.text) ?? [],
          ...(trace !== undefined && { kind: trace.kind, times: trace.times }),
          ...(trace?.fallback !== undefined && { fallback: trace.fallback.code }),
        }
      }),
    }
  })
}

function tracesByQid(traces: readonly Trace[]): ReadonlyMap<string, Trace> {
  return new Map(traces.flatMap((trace) => (trace.query.qid === undefined ? [] : [[trace.query.qid, trace]])))
}

function record(metrics: readonly string[], values: readonly number[]): Record<string, number> {
  return Object.fromEntries(metrics.map((metric, index) => [metric, values[index]!]))
}

function valuesOf({ values }: Evaluation, metric: string, qids: readonly string[]): number[] {
  const ofMetric = values.get(metric)!
  return qids.map((qid) => ofMetric.get(qid)!)
}

function checkComparable(
  { name, evaluation }: EvaluatedSystem,
  baseline: EvaluatedSystem,
  before: readonly EvaluatedSystem[],
): void {
  if (before.some((other) => other.name === name)) {
    throw new QuerentError('bad-config', `Two systems are called ${JSON.stringify(name)}`, {
      remedy: 'Give every system a name of its own.',
    })
  }
  const known = new Set(evaluation.qids)
  const missing = baseline.evaluation.qids.find((qid) => !known.has(qid))
  if (missing !== undefined || known.size !== baseline.evaluation.qids.length) {
    throw new QuerentError(
      'bad-config',
      `${name} was evaluated on other queries than ${baseline.name}` +
        (missing === undefined ? '' : `: it lacks the query ${JSON.stringify(missing)}`),
      { remedy: 'Evaluate both on the same queries and judgements.' },
    )
  }
  const metrics = [...baseline.evaluation.values.keys()]
  const lacking = metrics.find((metric) => !evaluation.values.has(metric))
  if (lacking !== undefined) {
    throw new QuerentError('bad-config', `${name} was not evaluated with the metric ${lacking}`, {
      remedy: `Evaluate both with ${metrics.join(', ')}.`,
    })
  }
}
