/** The slopes of the policy-gradient loss of one group by the scores of all actions: exact, because all are enumerated. */
import { type Clip, clipGradient } from '../../../src/training/advantage.ts'

/** The rollouts of one query. The arrays have one entry a rollout. */
export interface Group {
  readonly actions: readonly number[]
  readonly advantages: readonly number[]
  /** How likely each action was when it was drawn. */
  readonly drawnWith: readonly number[]
}

/**
 * Slopes of mean(`clipLoss` of the rollouts) − entropy · H(π) − kl · ln π(0), with π = softmax of the scores and
 * H = −Σ π ln π. The last term is the divergence KL(reference ‖ π) from a reference that always takes the first action.
 *
 * @param probabilities π, one an action
 * @param entropy the weight of the bonus for being undecided
 * @param kl the weight of the divergence from the reference
 * @param slopes written, one an action; they sum to 0
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

/** H(π) in nats: 0 for a certain choice, ln n where n actions are equally likely. */
export function entropyOf(probabilities: Float64Array, count: number): number {
  let sum = 0
  for (let action = 0; action < count; action++) {
    const probability = probabilities[action]!
    if (probability > 0) sum -= probability * Math.log(probability)
  }
  return sum
}
