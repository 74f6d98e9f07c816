/** What the rewards and rollouts of language models are made with. */
import { acqoProfiles } from '../../../policies/acqo/rewards.ts'
import type { ServedRewardOptions } from '../../training/rewards/reward.ts'
import { type JudgeModel, judgeWith } from '../../training/rollouts/judge.ts'
import type { ChatModel } from '../../types.ts'
import type { Terminal } from '../output/terminal.ts'
import type { SettingsOf } from '../settings/of-commands.ts'
import { given } from '../settings/setting.ts'
import { chatModelOf, otherChatModel } from './chat-model.ts'

export interface RolloutModels {
  /** The model that is trained, and others on its server by their names. */
  readonly agents: ChatModel
  agentsNamed(model: string): Promise<ChatModel>
  /** The model that it works with. */
  readonly environment: ChatModel
  readonly judge: JudgeModel | undefined
}

/** @throws QuerentError `bad-config` if no chat model is named */
export async function rolloutModelsOf(
  who: string,
  settings: SettingsOf<'reward-server'>,
  terminal: Terminal,
): Promise<RolloutModels> {
  // The temperature of rollouts is that of the prompts that are trained.
  const plain = { ...settings, temperature: undefined }
  const environment = await chatModelOf(who, plain, terminal)
  const other = (url: string | undefined, name: string | undefined): Promise<ChatModel | undefined> =>
    otherChatModel(who, plain, { url, name }, terminal)
  const { agentsUrl, agentsModel, judgeUrl, judgeModel } = settings
  const judge = await other(judgeUrl, judgeModel)
  return {
    environment,
    agents: (await other(agentsUrl, agentsModel)) ?? environment,
    agentsNamed: async (model) => (await other(agentsUrl, model)) ?? environment,
    judge: judge && judgeWith(judge),
  }
}

/** The rewards of the settings. A request to the server may set its own. */
export const rewardOptionsOf = ({
  profile = 'hotpotqa',
  stage,
  eta,
  kStar,
  lambda,
  delta,
  depth: topk,
}: Pick<
  SettingsOf<'export'>,
  'profile' | 'stage' | 'eta' | 'kStar' | 'lambda' | 'delta' | 'depth'
>): ServedRewardOptions => ({
  ...acqoProfiles[profile],
  ...given({ stage, eta, kStar, lambda, delta, topk }),
})
