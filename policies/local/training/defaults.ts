/** How the shipped policies were trained, and how `querent train` trains. */
import type { RewardOptions } from './action-space.ts'

/**
 * The reward that the shipped policies were trained with: ACQO's for HotpotQA, with its bonus for the first ten ranks. Without
 * the bonus rank 3 is worth nearly what rank 1 is, and expansions that bring more documents somewhere and harm the first ones
 * are taken for single facts.
 */
export const defaultReward: RewardOptions = { eta: 0.6, kStar: 10 }

/**
 * How the decision is trained unless told otherwise. Ours, chosen on folds of the training collections: the paper's filter
 * before Stage II keeps too few queries here, a larger ε keeps what hardly matters from outweighing what does; twice the
 * paper's rollouts, the entropy and a little divergence from leaving every query alone keep the query as it is among what is
 * drawn: with less, some seeds forget it for good; and the mean of several policies earns more than one of them.
 */
export const defaultChoice = {
  models: 3,
  rollouts: 16,
  learningRate: 0.005,
  entropy: 0.035,
  kl: 0.003,
  epsilon: 0.1,
  curriculum: { stageOneEpochs: 1, stageTwoEpochs: 20, filter: false },
} as const
