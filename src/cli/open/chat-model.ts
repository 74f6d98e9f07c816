/** The chat models that settings name. */
import { QuerentError } from '../../errors.ts'
import type { ChatModel } from '../../types.ts'
import type { Terminal } from '../output/terminal.ts'
import type { SettingsOf } from '../settings/of-commands.ts'
import { given } from '../settings/setting.ts'

export type ChatSettings = Pick<
  SettingsOf<'search'>,
  'chatUrl' | 'chatModel' | 'chatRetries' | 'chatTimeout' | 'maxTokens' | 'temperature' | 'topP'
> & {
  /** Whether a server that fails again and again is left alone for a while. Where each answer counts, it is asked on. Default: false. */
  readonly breaker?: boolean
}

/** Milliseconds for a call, unless the settings say otherwise. The budget of a search ends most prompts earlier. */
const longest = 60_000

/**
 * The chat model of the settings.
 *
 * @param who asks it
 * @throws QuerentError `bad-config` if none has been named
 */
export async function chatModelOf(
  who: string,
  settings: ChatSettings,
  { env }: Terminal,
): Promise<ChatModel> {
  const { chatUrl, chatModel, chatRetries: retries, chatTimeout, breaker, ...sampling } = settings
  const { maxTokens, temperature, topP } = sampling
  const baseUrl = chatUrl ?? nonEmpty(env.OPENAI_BASE_URL)
  const apiKey = nonEmpty(env.OPENAI_API_KEY)
  // A local server often has a single model, under any name.
  const model =
    chatModel ?? nonEmpty(env.QUERENT_CHAT_MODEL) ?? (baseUrl === undefined ? undefined : 'default')
  if (model === undefined) {
    throw new QuerentError('bad-config', `${who} needs a chat model, and none is named`, {
      remedy:
        'Pass --chat-url and --chat-model, or set OPENAI_BASE_URL (or OPENAI_API_KEY) and QUERENT_CHAT_MODEL.',
    })
  }
  const { openaiChat } = await import('../../../adapters/models/openai.ts')
  return openaiChat({
    model,
    timeout: chatTimeout ?? longest,
    ...(breaker !== true && { breaker: false }),
    ...given({ baseUrl, apiKey, retries, maxTokens, temperature, topP }),
  })
}

/**
 * Another chat model beside that of the settings, on its own server or on the same. Another server has other models: the name of the
 * one does not go with the address of the other.
 *
 * @returns `undefined` if neither its server nor its name is given
 */
export async function otherChatModel(
  who: string,
  settings: ChatSettings,
  { url, name }: { readonly url: string | undefined; readonly name: string | undefined },
  terminal: Terminal,
): Promise<ChatModel | undefined> {
  if (url === undefined && name === undefined) return undefined
  const server = url === undefined ? {} : { chatUrl: url, chatModel: undefined }
  return chatModelOf(who, { ...settings, ...server, ...given({ chatModel: name }) }, terminal)
}

export const nonEmpty = (value: string | undefined): string | undefined =>
  value?.trim() === '' ? undefined : value
