/** Settings of the rewards. */
import { z } from 'zod'
import { acqoProfiles } from '../../../policies/acqo/rewards.ts'
import type { ServedRewardOptions } from '../../training/rewards/reward.ts'
import { setting } from './setting.ts'
import { count, number, within } from './setting-kinds.ts'

const { hotpotqa } = acqoProfiles

export const rewardGroup = {
  stage: setting(
    number.pipe(z.union([z.literal(1), z.literal(2)], 'must be 1 or 2')),
    '<1 or 2>',
    "the curriculum's stage. 1: the best set of sub-queries counts; 2: all (default 2)",
  ),
  eta: setting(
    within(0, 1),
    '<number>',
    `η: the weight of each further relevant document (default ${hotpotqa.eta})`,
  ),
  depth: setting(count, '<count>', 'how many hits of each list count (default 100)'),
  maxSubQueries: setting(count, '<count>', 'most sub-queries in an answer (default 3)'),
}

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
