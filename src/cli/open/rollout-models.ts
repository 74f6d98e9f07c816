/** The models of rollouts: the one that is trained, the one that it works with, and a judge. */
import { type JudgeModel, judgeWith } from '../../training/rollouts/judge.ts'
import type { ChatModel } from '../../types.ts'
import type { Terminal } from '../output/terminal.ts'
import { type ChatSettings, chatModelOf, otherChatModel } from './chat-model.ts'

export interface RolloutModelSettings extends ChatSettings {
  readonly agentsUrl?: string | undefined
  readonly agentsModel?: string | undefined
  readonly judgeUrl?: string | undefined
  readonly judgeModel?: string | undefined
}

export interface RolloutModels {
  /** The model that is trained, and others on its server by their names. */
  readonly agents: ChatModel
  agentsNamed(model: string): Promise<ChatModel>
  readonly environment: ChatModel
  readonly judge: JudgeModel | undefined
}

/** @throws QuerentError `bad-config` if no chat model is named */
export async function rolloutModelsOf(
  who: string,
  settings: RolloutModelSettings,
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
