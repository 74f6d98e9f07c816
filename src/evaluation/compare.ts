/** Compares systems that were evaluated on the same queries. The first system is the baseline. */
import { QuerentError } from '../errors.ts'
import { compareCosts } from './compare-costs.ts'
import type {
  CompareOptions,
  Comparison,
  ComparisonSetup,
  Difference,
  QueryComparison,
} from './comparison.ts'
import type { Evaluation } from './evaluate.ts'
import { judgedShare } from './judged-share.ts'
import { movedDocuments } from './moved-documents.ts'
import { bootstrapDifference, bootstrapMean, holm, randomizationTest } from './significance.ts'
import type { TraceDigest } from './trace-digest.ts'

export interface EvaluatedSystem {
  /** The system's name in tables and plots. */
  readonly name: string
  readonly evaluation: Evaluation
}

/** Smaller differences are ties. Summing the same numbers in another order changes the last bits. */
const tie = 1e-9

/**
 * Compares every system with the first one, metric by metric and query by query.
 *
 * @throws QuerentError `bad-config` for fewer than two systems, two systems with the same name, or systems that were not
 * evaluated on the same queries with the same metrics
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

  // Compute all p-values first: Holm's correction needs them together.
  const tests = others.map(({ evaluation }) =>
    metrics.map((metric) => {
      const a = valuesOf(evaluation, metric, qids)
      const b = valuesOf(baseline.evaluation, metric, qids)
      return { a, b, p: randomizationTest(a, b, { rounds, seed }).p }
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
          queries: evaluation.values.get(metric)!.size,
          ...bootstrapMean(valuesOf(evaluation, metric, qids), { rounds: samples, seed }),
          ...(test !== undefined && {
            versusBaseline: {
              ...bootstrapDifference(test.a, test.b, { rounds: samples, seed }),
              ...judge(test, corrected[(system - 1) * metrics.length + index]!, alpha),
            },
          }),
        }
      }),
      'judged@10': judgedShare(evaluation),
      summary: evaluation.summary,
    })),
    costs: compareCosts(
      systems.map(({ evaluation }) => evaluation.traces),
      { rounds, samples, seed },
    ),
    queries: compareQueries(systems, metrics, qids),
  }
}

function judge(
  { a, b, p }: { readonly a: readonly number[]; readonly b: readonly number[]; readonly p: number },
  pHolm: number,
  alpha: number,
): Pick<Difference, 'p' | 'pHolm' | 'verdict' | 'wins' | 'ties' | 'losses'> {
  const differences = a.map((value, index) => value - b[index]!)
  const wins = differences.filter((value) => value > tie).length
  const losses = differences.filter((value) => value < -tie).length
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
  const asked = new Map(systems[0]!.evaluation.queries.map((query) => [query.qid, query]))
  return qids.map((qid) => {
    const known = metrics.filter((metric) => systems[0]!.evaluation.values.get(metric)!.has(qid))
    const values = systems.map(({ evaluation }) =>
      known.map((metric) => evaluation.values.get(metric)!.get(qid)!),
    )
    const query = asked.get(qid)
    const turns = query?.history?.length ?? 0
    const grades = systems[0]!.evaluation.qrels.get(qid) ?? new Map<string, number>()
    const hits = systems.map(({ evaluation }) => evaluation.run.get(qid) ?? [])
    return {
      qid,
      ...(query !== undefined && { text: query.text }),
      ...(turns > 0 && { turns }),
      results: systems.map((_, system) => {
        const trace = traces[system]!.get(qid)
        const moved = movedDocuments(hits[0]!, hits[system]!, grades)
        return {
          values: record(known, values[system]!),
          ...(system > 0 && {
            differences: record(
              known,
              values[system]!.map((value, index) => value - values[0]![index]!),
            ),
          }),
          subQueries: trace?.subQueries.map((subQuery) => subQuery.text) ?? [],
          ...(trace !== undefined && { kind: trace.kind, times: trace.times }),
          ...(trace?.fallback !== undefined && { fallback: trace.fallback.code }),
          ...(moved.length > 0 && { moved }),
        }
      }),
    }
  })
}

function tracesByQid(traces: readonly TraceDigest[]): ReadonlyMap<string, TraceDigest> {
  return new Map(traces.flatMap((trace) => (trace.query.qid === undefined ? [] : [[trace.query.qid, trace]])))
}

function record(metrics: readonly string[], values: readonly number[]): Record<string, number> {
  return Object.fromEntries(metrics.map((metric, index) => [metric, values[index]!]))
}

/** The values of the queries that have one, in the order of `qids`. */
function valuesOf({ values }: Evaluation, metric: string, qids: readonly string[]): number[] {
  const ofMetric = values.get(metric)!
  return qids.flatMap((qid) => ofMetric.get(qid) ?? [])
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
      { remedy: 'Evaluate both on the same queries and judgments.' },
    )
  }
  const metrics = [...baseline.evaluation.values.keys()]
  const lacking = metrics.find((metric) => !evaluation.values.has(metric))
  if (lacking !== undefined) {
    throw new QuerentError('bad-config', `${name} was not evaluated with the metric ${lacking}`, {
      remedy: `Evaluate both with ${metrics.join(', ')}.`,
    })
  }
  for (const [metric, ofQueries] of baseline.evaluation.values) {
    const own = evaluation.values.get(metric)!
    if (own.size === ofQueries.size && [...ofQueries.keys()].every((qid) => own.has(qid))) continue
    throw new QuerentError(
      'bad-config',
      `${name} has values of ${metric} for other queries than ${baseline.name}`,
      { remedy: 'Evaluate both with the same accepted answers.' },
    )
  }
}
