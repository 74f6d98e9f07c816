/** The rewards of the settings. */
import { acqoProfiles } from '../../../policies/acqo/rewards.ts'
import type { ServedRewardOptions } from '../../training/rewards/reward.ts'

const { hotpotqa } = acqoProfiles

/** The rewards of the settings. Defaults: the paper's for HotpotQA. A request to the server may set more. */
export function rewardOptionsOf({
  stage,
  eta,
  depth,
}: {
  readonly stage?: 1 | 2 | undefined
  readonly eta?: number | undefined
  readonly depth?: number | undefined
}): ServedRewardOptions {
  return {
    ...hotpotqa,
    ...(stage !== undefined && { stage }),
    ...(eta !== undefined && { eta }),
    ...(depth !== undefined && { topk: depth }),
  }
}
