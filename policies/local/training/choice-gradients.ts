/**
 * The gradient of the policy-gradient loss of one group with respect to the scores of all actions. It is exact, because all
 * actions are enumerated.
 */
import { type Clip, clipGradient } from '../../../src/training/advantage.ts'

/** The rollouts of one query. The arrays have one entry per rollout. */
export interface Group {
  readonly actions: readonly number[]
  readonly advantages: readonly number[]
  /** The probability of each action when it was drawn. */
  readonly drawnWith: readonly number[]
}

/**
 * The gradient of mean(`clipLoss` of the rollouts) − entropy · H(π) − kl · ln π(0), with π = softmax of the scores and H = −Σ π
 * ln π. The last term is the divergence KL(reference ‖ π) from a reference that always takes the first action.
 *
 * @param probabilities π, one per action
 * @param entropy the weight of the entropy bonus
 * @param kl the weight of the divergence from the reference
 * @param slopes output, one per action; they sum to 0
 */
export function choiceGradients(
  { actions, advantages, drawnWith }: Group,
  probabilities: Float64Array,
  count: number,
  { clip, entropy, kl }: { readonly clip: Clip; readonly entropy: number; readonly kl: number },
  slopes: Float64Array,
): void {
  const undecided = entropyOf(probabilities, count)
  let sum = 0
  slopes.fill(0, 0, count)
  for (const [rollout, action] of actions.entries()) {
    const ratio = probabilities[action]! / drawnWith[rollout]!
    const slope = clipGradient(advantages[rollout]!, ratio, clip) / actions.length
    slopes[action]! += slope
    sum += slope
  }
  for (let action = 0; action < count; action++) {
    const probability = probabilities[action]!
    slopes[action]! += (kl - sum) * probability
    if (probability > 0) slopes[action]! += entropy * probability * (Math.log(probability) + undecided)
  }
  slopes[0]! -= kl
}

/** H(π) in nats: 0 for a certain choice, ln n if n actions are equally likely. */
export function entropyOf(probabilities: Float64Array, count: number): number {
  let sum = 0
  for (let action = 0; action < count; action++) {
    const probability = probabilities[action]!
    if (probability > 0) sum -= probability * Math.log(probability)
  }
  return sum
}
