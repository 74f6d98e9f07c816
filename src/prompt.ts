/** A prompt is a function from an input to an output that a chat model computes. `tools.ask` runs it. */
import { isQuerentError, QuerentError, toError } from './errors.ts'
import type { CacheOutcome, ChatModel, CompleteOptions, Message, Tokens } from './types.ts'

export interface Prompt<Input, Output> {
  /** Which model serves a prompt is configuration keyed by this name. */
  readonly name: string
  render(input: Input): readonly Message[]
  /** The output that a model's answer stands for. Throws if the prompt does not allow the answer. */
  parse(text: string, input: Input): Output
  /** Sampling temperature. Default: the model's own. */
  readonly temperature?: number
  /** Nucleus sampling. Default: the model's own. */
  readonly topP?: number
  /** Most tokens of the answer. Default: the model's own. */
  readonly maxTokens?: number
  /** Texts that end the answer. */
  readonly stop?: readonly string[]
  /** Whether the model's text is the search's answer, which is streamed to the caller as it is written. Default: false. */
  readonly final?: boolean
}

/** What a model needs to know of a prompt beside its messages. */
export type PromptSettings = Pick<
  Prompt<never, unknown>,
  'name' | 'temperature' | 'topP' | 'maxTokens' | 'stop'
>

/** The settings that a prompt has, as a model takes them. */
export const settingsOf = ({ temperature, topP, maxTokens, stop }: PromptSettings): CompleteOptions => ({
  ...(temperature !== undefined && { temperature }),
  ...(topP !== undefined && { topP }),
  ...(maxTokens !== undefined && { maxTokens }),
  ...(stop !== undefined && { stop }),
})

/** What an answer took, kept up to date while the prompt runs, so that a trace has it after a failure too. */
export interface Usage {
  attempts: number
  tokens: Tokens
  cache?: CacheOutcome
  output?: string
}

export interface PromptRun {
  readonly model: ChatModel
  readonly usage: Usage
  readonly signal: AbortSignal
  /** Called with each piece of a final prompt's text. */
  readonly onText: ((piece: string) => void) | undefined
}

/**
 * Renders the prompt, lets the model complete it and parses the answer. An answer that cannot be parsed is shown to the
 * model once, with the reason, to be repaired; not if the caller has received parts of it already.
 *
 * @throws QuerentError `bad-completion` when the second answer is no better; the model's own error when it has none
 */
export async function runPrompt<Input, Output>(
  prompt: Prompt<Input, Output>,
  input: Input,
  { model, usage, signal, onText }: PromptRun,
): Promise<Output> {
  let isSent = false
  const settings: CompleteOptions = {
    signal,
    ...settingsOf(prompt),
    ...(prompt.final === true &&
      onText !== undefined && {
        onText(piece: string) {
          isSent = true
          onText(piece)
        },
      }),
  }
  const complete = async (messages: readonly Message[]): Promise<string> => {
    usage.attempts++
    const { text, tokens, cache } = await model.complete(messages, settings)
    usage.tokens = {
      prompt: usage.tokens.prompt + tokens.prompt,
      completion: usage.tokens.completion + tokens.completion,
    }
    if (cache !== undefined) usage.cache = cache
    usage.output = text
    return text
  }
  const unusable = (cause: unknown): QuerentError =>
    new QuerentError(
      'bad-completion',
      `Prompt "${prompt.name}": the answer of ${model.name} cannot be used: ${reasonOf(cause)}`,
      { cause },
    )

  const messages = prompt.render(input)
  const text = await complete(messages)
  try {
    return prompt.parse(text, input)
  } catch (first) {
    if (isSent) throw unusable(first)
    const repaired = await complete([
      ...messages,
      { role: 'assistant', content: text },
      {
        role: 'user',
        content: `That answer cannot be used: ${reasonOf(first)}. Answer once more, in the format asked for and with nothing around it.`,
      },
    ])
    try {
      return prompt.parse(repaired, input)
    } catch (second) {
      throw unusable(second)
    }
  }
}

/** What is wrong with an answer, without the remedy for people that our errors end with. */
function reasonOf(error: unknown): string {
  return isQuerentError(error) ? error.what : toError(error).message
}
