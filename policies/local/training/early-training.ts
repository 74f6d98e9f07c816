/** Trains the early gate on the decisions of the policy itself: which queries it leaves alone. */
import { fitProbability, type Observation } from '../../../src/learn/probability.ts'
import { prepareScorer } from '../../../src/learn/scorer.ts'
import { quantile } from '../../../src/learn/statistics.ts'
import type { Reader } from '../../../src/text/reader.ts'
import { type EarlyGate, earlyInputs, earlyRow } from '../gate/early.ts'
import type { PreparedExample } from './action-space.ts'
import type { AppliedDecision } from './apply-decision.ts'
import { collectionWeights } from './collection-weights.ts'

/** Fewer queries of either kind are too few to tell them apart. */
const leastOfEach = 100

/** The share of the queries with sub-queries that may be left alone early. */
const maxMissed = 0.01

/**
 * The least log odds of a query that is left alone early: a probability of 0.9. If a network tells all training queries apart, its
 * scores grow without limit, and a threshold between them means little.
 */
const leastLogOdds = Math.log(9)

const network = { hidden: 16 }

export interface EarlyTrainingOptions {
  readonly seed: number
  /** The fold of each example: the threshold is set on scores of networks that have not seen it. */
  readonly foldOf: readonly number[]
  readonly signal?: AbortSignal | undefined
}

/**
 * Fits the early gate. Its threshold is set so that at most 1 % of the queries with sub-queries score above it.
 *
 * @returns `undefined` where fewer than 100 queries are left alone, or searched further
 */
export async function trainEarly(
  prepared: readonly PreparedExample[],
  decisions: readonly AppliedDecision[],
  reader: Reader,
  { seed, foldOf, signal }: EarlyTrainingOptions,
): Promise<EarlyGate | undefined> {
  const weights = collectionWeights(prepared.map(({ example }) => example.collection))
  const observations = prepared.map(({ example, choices }, index): Observation => {
    const { query, lists, collection } = example
    return {
      row: earlyRow(query, lists, reader),
      holds: choices[decisions[index]!.choice]!.members.length === 0,
      weight: weights.get(collection)!,
    }
  })
  const alone = observations.filter(({ holds }) => holds).length
  if (Math.min(alone, observations.length - alone) < leastOfEach) return undefined

  const options = { inputs: earlyInputs, ...network, signal }
  const missed: number[] = []
  for (const fold of new Set(foldOf)) {
    const others = observations.filter((_, index) => foldOf[index] !== fold)
    const score = prepareScorer(await fitProbability(others, { ...options, seed: seed + 1 + fold }))
    observations.forEach(({ row, holds }, index) => {
      if (foldOf[index] === fold && !holds) missed.push(score(row, 1)[0]!)
    })
  }
  missed.sort((a, b) => a - b)
  const threshold = Math.max(leastLogOdds, quantile(missed, 1 - maxMissed))
  return { scorer: await fitProbability(observations, { ...options, seed }), threshold }
}
