import { acqoProfiles } from '../../../policies/acqo/rewards.ts'
import { QuerentError } from '../../errors.ts'
import type { ServedRewardOptions } from '../../training/rewards/reward.ts'
import type { SettingName, Settings } from './settings.ts'

/** The settings of every command that computes rewards. */
export const rewardSettings = [
  'profile',
  'stage',
  'eta',
  'etaStart',
  'delta',
  'lambda',
  'kStar',
  'depth',
  'maxSubQueries',
] as const satisfies readonly SettingName[]

/** How rewards are computed: the profile's settings, and what was set beside it. @throws QuerentError `bad-config` */
export function rewardOptionsOf(settings: Settings): ServedRewardOptions {
  const { profile = 'hotpotqa', stage, eta, etaStart, delta, lambda, kStar, depth } = settings
  if (!Object.hasOwn(acqoProfiles, profile)) {
    throw new QuerentError('bad-config', `There is no profile ${JSON.stringify(profile)}`, {
      remedy: `The profiles are ${Object.keys(acqoProfiles).join(', ')}.`,
    })
  }
  return {
    ...acqoProfiles[profile as keyof typeof acqoProfiles],
    ...(stage !== undefined && { stage }),
    ...(eta !== undefined && { eta }),
    ...(etaStart !== undefined && { etaStart }),
    ...(delta !== undefined && { delta }),
    ...(lambda !== undefined && { lambda }),
    ...(kStar !== undefined && { kStar }),
    ...(depth !== undefined && { topk: depth }),
  }
}
