/** The result of an epoch. */
export interface ChoiceEpoch {
  readonly stage: 1 | 2
  /** From 1 in each stage. */
  readonly epoch: number
  /** Mean over the epoch's rollouts, with the stage's reward. */
  readonly meanReward: number
  /** The share of the epoch's queries whose rollouts all earned the same. They teach nothing. */
  readonly zeroVariance: number
  /** Mean entropy of the policy over all queries after the epoch, in nats. */
  readonly entropy: number
  /** Mean expected size under the policy after the epoch, over all queries with a `size`. */
  readonly expectedSize?: number
}
