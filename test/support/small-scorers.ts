/** Scorers and sections of a policy that were not trained: what they prefer is written down. */

import { actionInputs } from '../../policies/local/actions.ts'
import { bridgeFeatures } from '../../policies/local/bridge-features.ts'
import type { DecisionSection } from '../../policies/local/decision.ts'
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

/** A decision by these weights of the inputs of a choice. Of documents and names it knows nothing: the first ones are best. */
export const decisionBy = (weights: Readonly<Record<string, number>>): DecisionSection => ({
  cues: {},
  seeds: linear(firstInputs),
  bridges: linear(bridgeFeatures),
  choice: linear(actionInputs, weights),
})

/** A decision that is nonsense, another one for each seed. */
export function randomDecision(seed: number): DecisionSection {
  const random = createRandom(seed)
  const drawn = (inputs: readonly string[]): Scorer =>
    linear(inputs, Object.fromEntries(inputs.map((input) => [input, 4 * random.float() - 2])))
  return { cues: {}, seeds: drawn(firstInputs), bridges: drawn(bridgeFeatures), choice: drawn(actionInputs) }
}
