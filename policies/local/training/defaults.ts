/** The training settings of the shipped policies, which are the defaults of `querent train`. */
import type { RewardOptions } from './action-space.ts'

/**
 * The reward of the shipped policies: ACQO's for HotpotQA, with its bonus for the first ten ranks. Without the bonus, rank 3
 * earns nearly as much as rank 1. Training then favors expansions for single facts: they find more documents but harm the first
 * ranks.
 */
export const defaultReward: RewardOptions = { eta: 0.6, kStar: 10 }

/**
 * The default options for training the decision. Querent's values, chosen on folds of the training collections:
 *
 * - No filter: the paper's filter before Stage II keeps too few queries here.
 * - A larger ε: otherwise, small differences in reward outweigh large ones.
 * - Twice the paper's rollouts, entropy, and a little divergence from leaving every query alone: they keep the original query
 *   among the drawn actions. With less of them, some seeds forget it for good.
 * - Several policies: their mean earns more than a single one.
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
