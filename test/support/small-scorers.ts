/** Scorers and sections of a policy that were not trained: what they prefer is written down. */

import { bridgeFeatures } from '../../policies/local/decision/bridge-features.ts'
import type { DecisionSection } from '../../policies/local/decision/decision.ts'
import { gainInputs, learnedCost } from '../../policies/local/decision/gain.ts'
import { planNames } from '../../policies/local/decision/plans.ts'
import { firstInputs } from '../../policies/local/rerank/features.ts'
import { createRandom } from '../../src/learn/random.ts'
import type { Scorer } from '../../src/learn/scorer.ts'

/** A linear scorer: each input times its weight, 0 where there is none. */
export function linear(inputs: readonly string[], weights: Readonly<Record<string, number>> = {}): Scorer {
  return {
    inputs,
    mean: inputs.map(() => 0),
    deviation: inputs.map(() => 1),
    skip: inputs.map((input) => weights[input] ?? 0),
    hidden: [],
  }
}

/** What each plan has in common: exactly one of these inputs is 1. */
const everyPlan = planNames.map((name) => `plan: ${name}`)

/**
 * A scorer by which a plan gains the sum of its inputs times these weights: 0 without weights. The networks predict what is gained
 * beyond the usual price, so that it is subtracted.
 */
export const gainBy = (weights: Readonly<Record<string, number>> = {}): Scorer =>
  linear(gainInputs, {
    ...weights,
    ...Object.fromEntries(everyPlan.map((input) => [input, (weights[input] ?? 0) - learnedCost])),
  })

/** A decision by these gains. Of documents and names it knows nothing: the first ones are best. */
export const decisionBy = (weights: Readonly<Record<string, number>> = {}): DecisionSection => ({
  seeds: linear(firstInputs),
  bridges: linear(bridgeFeatures),
  gains: [gainBy(weights)],
})

/** A decision that is nonsense, another one for each seed. */
export function randomDecision(seed: number): DecisionSection {
  const random = createRandom(seed)
  const drawn = (inputs: readonly string[]): Scorer =>
    linear(inputs, Object.fromEntries(inputs.map((input) => [input, 4 * random.float() - 2])))
  return {
    seeds: drawn(firstInputs),
    bridges: drawn(bridgeFeatures),
    gains: [drawn(gainInputs), drawn(gainInputs)],
  }
}
