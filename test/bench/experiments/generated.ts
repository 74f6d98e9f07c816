/** Experiments that nobody made: two collections, two seeds, and a policy that is better than the others by as much as is said. */

import type { Experiments } from '../../../bench/experiments/experiments.ts'
import { leftOutNames } from '../../../bench/experiments/left-out.ts'
import { measureNames } from '../../../bench/experiments/measures.ts'
import type { SystemRecord } from '../../../bench/experiments/record.ts'
import { trainedOn } from '../../../bench/experiments/retriever-matrix.ts'
import type { SeedRun } from '../../../bench/experiments/seed-run.ts'
import { summarize } from '../../../bench/experiments/summarize.ts'
import { dialNames, systemNames } from '../../../bench/experiments/systems.ts'
import { type Quantiles, type TimedStep, timedSteps } from '../../../bench/experiments/times.ts'
import { ablationsOf, defaultCurriculum, filters, fixedNumbers } from '../../../bench/experiments/variants.ts'
import { createRandom } from '../../../src/learn/random.ts'
import { example } from '../../support/prepared.ts'

const queries = 12

/** @param gain of the learned policy over all others but the oracle, from −0.5 to 0.5 */
export function generatedExperiments(
  gain: number,
  { first = 'towns', second = 'rivers' }: { readonly first?: string; readonly second?: string } = {},
): Experiments {
  const examples = Array.from({ length: 2 * queries }, (_, index) =>
    example({
      qid: `q${index}`,
      golds: index % 3 === 0 ? [`g${index}`] : [`g${index}`, `h${index}`],
      asIs: index % 2 === 0 ? [`g${index}`, `h${index}`] : [],
      collection: index < queries ? first : second,
    }),
  )
  const every = examples.map((_, index) => index)
  const run = (seed: number): SeedRun => {
    const random = createRandom(seed)
    const noise = every.map(() => random.float() / 10)
    const record = (level: number, reranked = true): SystemRecord => {
      const values = noise.map((value) => level + value)
      const all = (of: (number | null)[]): SystemRecord['alone'] =>
        Object.fromEntries(measureNames.map((name) => [name, of]))
      return {
        alone: all(values),
        reranked: all(values.map((value) => (reranked ? value + 0.1 : null))),
        subQueries: every.map((index) => index % 4),
        secondStage: every.map((index) => (index % 4 > 1 ? 1 : 0)),
        requestTwo: every.map((index) => (index % 4 > 0 ? 1 : 0)),
      }
    }
    const variants = [...ablationsOf(defaultCurriculum), ...fixedNumbers, ...filters]
    const standing = { taken: 0.5 + gain, drawn: 0.5, subQueriesTaken: 2, subQueriesDrawn: 2 }
    return {
      seed,
      partOf: every.map((index) => index % 3),
      systems: {
        [systemNames.learned]: record(0.4 + gain),
        [systemNames.asIs]: record(0.4),
        [systemNames.fixed]: record(0.4),
        [systemNames.contextFree]: record(0.4, false),
        [systemNames.uniform]: record(0.2),
        [systemNames.shuffled]: record(0.3),
        [systemNames.oracle]: record(0.9),
        [dialNames.low]: record(0.4 + gain / 2),
        ...Object.fromEntries(variants.map(({ name }) => [name, record(0.3)])),
      },
      types: every.map((index) => (index % 2 === 0 ? 'names' : 'other')),
      curves: [0, 1, 2].map((part) =>
        [2, 3, 1.5].map((subQueriesDrawn, epoch) => ({
          stage: epoch === 2 ? 2 : 1,
          epoch,
          training: { ...standing, subQueriesDrawn },
          heldOut: { ...standing, taken: standing.taken + part / 100, subQueriesDrawn },
          ...(epoch > 0 && { zeroVariance: 0.1, entropy: 2 }),
        })),
      ),
      fixedSets: ['the query + names', 'the query + names', 'the query'],
      chosen: every.map((index) => (index % 4 === 0 ? 1 : 9)),
      filtered: { kept: 5, of: 16 },
      times: {
        queries: 20,
        systems: ['the query as it is', 'the decision alone'].map((name) => ({
          name,
          subQueries: 2,
          requests: 1.5,
          steps: Object.fromEntries(timedSteps.map((step) => [step, { p50: 1.25, p95: 12 }])) as Record<
            TimedStep,
            Quantiles
          >,
        })),
      },
      seconds: { 'second stage': 1, candidates: 2, decision: 3, gate: 1, 're-ranking': 4 },
    }
  }
  const seeds = [run(1), run(2)]
  const own = (of: SystemRecord, from: number): SystemRecord => {
    const cut = <T>(values: readonly T[]): T[] => values.slice(from, from + queries)
    const all = (columns: SystemRecord['alone']): SystemRecord['alone'] =>
      Object.fromEntries(Object.entries(columns).map(([name, values]) => [name, cut(values)]))
    return {
      alone: all(of.alone),
      reranked: all(of.reranked),
      subQueries: cut(of.subQueries),
      secondStage: cut(of.secondStage),
      requestTwo: cut(of.requestTwo),
    }
  }
  return summarize(
    {
      examples,
      sets: ['bm25', 'dense'].map((name) => ({ name, examples })),
      reward: { eta: 0.6, cost: 0.005 },
      rerankedParts: 1,
      runs: seeds,
      leftOut: [first, second].map((collection, place) => ({
        collections: [collection],
        examples: every.slice(place * queries, (place + 1) * queries),
        seeds: seeds.map(({ seed, systems }) => ({
          seed,
          systems: {
            [leftOutNames.transferred]: own(systems[systemNames.asIs]!, place * queries),
            [leftOutNames.fixed]: own(systems[systemNames.uniform]!, place * queries),
          },
        })),
      })),
      matrix: seeds.map(({ seed, systems }) => ({
        seed,
        queries: examples.length,
        usedOn: Object.fromEntries(
          ['bm25', 'dense'].map((used) => [
            used,
            Object.fromEntries([
              ...['bm25', 'dense'].map((trained) => [
                trainedOn(trained),
                systems[trained === used ? systemNames.learned : systemNames.uniform]!,
              ]),
              [systemNames.asIs, systems[systemNames.asIs]!],
            ]) as Record<string, SystemRecord>,
          ]),
        ),
      })),
    },
    { rounds: 200, samples: 200 },
  )
}
