/** Compares what searches cost: prompts, rounds, tokens and dollars. Less is neither better nor worse by itself, so there is no verdict. */
import { mean } from '../learn/statistics.ts'
import type { CostComparison } from './comparison.ts'
import { bootstrapDifference, bootstrapMean, holm, randomizationTest } from './significance.ts'
import type { TraceDigest } from './trace-digest.ts'

const costs: Readonly<Record<string, (trace: TraceDigest) => number>> = {
  asks: ({ asks }) => asks,
  rounds: ({ rounds }) => rounds,
  tokens: ({ tokens }) => tokens.prompt + tokens.completion,
  usd: ({ usd = 0 }) => usd,
}

interface CostOptions {
  readonly rounds: number
  readonly samples: number
  readonly seed: number
}

/**
 * Compares every system with the first one, cost by cost, over the queries whose search succeeded in all systems. Costs that
 * no system has are left out.
 */
export function compareCosts(
  systems: readonly (readonly TraceDigest[])[],
  { rounds, samples, seed }: CostOptions,
): CostComparison[] {
  const traces = systems.map((ofSystem) => new Map(ofSystem.map((trace) => [trace.query.qid, trace])))
  const qids = systems[0]!.map(({ query }) => query.qid)
  const shared = qids.filter((qid) => qid !== undefined && traces.every((ofSystem) => ofSystem.has(qid)))
  const spent = Object.entries(costs)
    .map(([cost, costOf]) => ({
      cost,
      values: traces.map((ofSystem) => shared.map((qid) => costOf(ofSystem.get(qid)!))),
    }))
    .filter(({ values }) => values.some((ofSystem) => mean(ofSystem) > 0))
  const tests = spent.flatMap(({ values: [baseline, ...others] }) =>
    others.map((own) => randomizationTest(own, baseline!, { rounds, seed }).p),
  )
  const corrected = holm(tests)
  return spent.map(({ cost, values }, place) => ({
    cost,
    queries: shared.length,
    systems: values.map((own, system) => {
      const test = place * (systems.length - 1) + system - 1
      return {
        ...bootstrapMean(own, { rounds: samples, seed }),
        ...(system > 0 && {
          versusBaseline: {
            ...bootstrapDifference(own, values[0]!, { rounds: samples, seed }),
            p: tests[test]!,
            pHolm: corrected[test]!,
          },
        }),
      }
    }),
  }))
}
