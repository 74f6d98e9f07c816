/**
 * Group-relative advantages and the clipped policy loss, as ACQO trains (A.2): DAPO (Yu et al., "DAPO: an open-source LLM
 * reinforcement learning system at scale", 2025) with the lower bound of dual-clip PPO (Ye et al., AAAI 2020). A group is the
 * K rollouts of one query.
 */
import { checkOption } from '../learn/check-option.ts'

/** Rewards closer than this are equal, above 1 as a part of the largest: a mean of equal doubles need not be one of them. */
const closeness = 1e-9

/**
 * Whether all rewards of a group are equal, so that nothing can be learned from it. A group of one, or of none, is such. Such
 * groups are left out of the update: DAPO's dynamic sampling (its eq. 11), without the sampling of others in their place.
 *
 * @example hasZeroVariance([5 / 3, 5 / 3]) // true
 */
export function hasZeroVariance(rewards: readonly number[]): boolean {
  const highest = Math.max(...rewards)
  const lowest = Math.min(...rewards)
  return (
    rewards.length < 2 || highest - lowest <= closeness * Math.max(1, Math.abs(highest), Math.abs(lowest))
  )
}

/**
 * A = (r − mean) / (std + ε) within a group, std with n − 1. They sum to 0, and none is more than (n − 1) / √n from it. All 0
 * where the group has zero variance.
 *
 * @param epsilon Default: 1e-6, verl's; TRL has 1e-4
 * @example groupAdvantages([2, 1]) // mean 1.5, std √½: ±0.707106
 */
export function groupAdvantages(
  rewards: readonly number[],
  { epsilon = 1e-6 }: { readonly epsilon?: number } = {},
): number[] {
  if (hasZeroVariance(rewards)) return rewards.map(() => 0)
  const mean = rewards.reduce((sum, reward) => sum + reward, 0) / rewards.length
  const squares = rewards.reduce((sum, reward) => sum + (reward - mean) ** 2, 0)
  const deviation = Math.sqrt(squares / (rewards.length - 1))
  return rewards.map((reward) => (reward - mean) / (deviation + epsilon))
}

/** Where the ratio π / π_old is clipped. The defaults are ACQO's. */
export interface Clip {
  /** Below 1 − low. Default: 0.2. */
  readonly low?: number
  /** Above 1 + high: DAPO's clip-higher, which leaves room for unlikely actions to become likely. Default: 0.28. */
  readonly high?: number
  /** The loss of a bad action is at most this many times −A, however likely it became: the dual clip. Default: 10. */
  readonly dual?: number
}

/**
 * The loss of one action, to be minimized: −min(A·ratio, A·clip(ratio, 1 − low, 1 + high)), and for A < 0 at most −A·dual.
 *
 * @param ratio π(action) / π_old(action)
 * @example clipLoss(1, 1.5) // -1.28
 * @throws QuerentError `bad-config` for a `low` outside of 0 to 1, a negative `high`, or a `dual` below 1 + high
 */
export function clipLoss(advantage: number, ratio: number, clip: Clip = {}): number {
  const { low, high, dual } = checkedClip(clip)
  const clipped = Math.min(Math.max(ratio, 1 - low), 1 + high)
  const loss = -Math.min(advantage * ratio, advantage * clipped)
  return advantage < 0 ? Math.min(loss, -advantage * dual) : loss
}

/**
 * The derivative of `clipLoss` by log π(action): −A·ratio, or 0 where the loss is flat.
 *
 * @example clipGradient(1, 1.5) // 0: good, and already 1.28 times as likely as it was
 */
export function clipGradient(advantage: number, ratio: number, clip: Clip = {}): number {
  const { low, high, dual } = checkedClip(clip)
  const flat = advantage > 0 ? ratio > 1 + high : ratio < 1 - low || ratio > dual
  return advantage === 0 || flat ? 0 : -advantage * ratio
}

function checkedClip({ low = 0.2, high = 0.28, dual = 10 }: Clip): Required<Clip> {
  checkOption('low', low, low >= 0 && low <= 1, 'from 0 to 1')
  checkOption('high', high, high >= 0, '0 or more')
  checkOption('dual', dual, dual >= 1 + high, '1 + high or more')
  return { low, high, dual }
}
