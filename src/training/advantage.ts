/**
 * Group-relative advantages and the clipped policy loss, as in ACQO's training (A.2): DAPO (Yu et al., "DAPO: an open-source
 * LLM reinforcement learning system at scale", 2025) with the lower bound of dual-clip PPO (Ye et al., AAAI 2020). A group
 * is the K rollouts of one query.
 */
import { checkOption } from '../learn/check-option.ts'

/**
 * Rewards that differ by at most this count as equal. Above 1, the tolerance is relative to the largest reward. It absorbs
 * rounding errors.
 */
const closeness = 1e-9

/**
 * Whether all rewards of a group are equal, so that a model cannot learn from it. True for groups with fewer than two
 * rewards. The update should skip such groups: DAPO's dynamic sampling (its eq. 11), but without sampling replacements.
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
 * A = (r − mean) / (std + ε) within a group, with the sample standard deviation (n − 1). Advantages sum to 0, and none
 * exceeds (n − 1) / √n in absolute value. All are 0 if the group has zero variance.
 *
 * @param epsilon Default: 1e-6, as in verl; TRL uses 1e-4
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

/** The clipping bounds of the ratio π / π_old. The defaults are ACQO's. */
export interface Clip {
  /** Clips ratios below 1 − low. Default: 0.2. */
  readonly low?: number
  /** Clips ratios above 1 + high. This is DAPO's clip-higher, which lets unlikely actions become likely. Default: 0.28. */
  readonly high?: number
  /** The dual clip: for a negative advantage A, the loss is at most this factor times −A, whatever the ratio. Default: 10. */
  readonly dual?: number
}

/**
 * The loss of one action, to be minimized: −min(A·ratio, A·clip(ratio, 1 − low, 1 + high)). For A < 0 it is at most −A·dual.
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
 * The derivative of `clipLoss` with respect to log π(action): −A·ratio, or 0 where the loss is flat.
 *
 * @example clipGradient(1, 1.5) // 0: the ratio is already above 1.28
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
