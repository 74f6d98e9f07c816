/** A prompt is a function from an input to an output that a chat model computes. `tools.ask` is the way to run one. */
import { isQuerentError, QuerentError, toError } from './errors.ts'
import type { ChatModel, Message, Tokens } from './types.ts'

export interface Prompt<Input, Output> {
  /** Which model serves a prompt is configuration keyed by this name. */
  readonly name: string
  render(input: Input): readonly Message[]
  /** The output that a model's answer stands for. Throws where the answer is not one that the prompt allows. */
  parse(text: string, input: Input): Output
  /** Sampling temperature. Default: the model's own. */
  readonly temperature?: number
  /** Most tokens of the answer. Default: the model's own. */
  readonly maxTokens?: number
}

/** What an answer took, kept up to date while the prompt runs, so that a trace has it after a failure too. */
export interface Usage {
  attempts: number
  tokens: Tokens
  output?: string
}

/**
 * Renders the prompt, lets the model complete it and parses the answer. An answer that cannot be parsed is shown to the
 * model once, with what is wrong, to be repaired.
 *
 * @throws QuerentError `bad-completion` when the second answer is no better; the model's own error when it has none.
 */
export async function runPrompt<Input, Output>(
  prompt: Prompt<Input, Output>,
  input: Input,
  model: ChatModel,
  usage: Usage,
  signal: AbortSignal,
): Promise<Output> {
  const settings = {
    signal,
    ...(prompt.temperature === undefined ? {} : { temperature: prompt.temperature }),
    ...(prompt.maxTokens === undefined ? {} : { maxTokens: prompt.maxTokens }),
  }
  const complete = async (messages: readonly Message[]): Promise<string> => {
    usage.attempts++
    const { text, tokens } = await model.complete(messages, settings)
    usage.tokens = {
      prompt: usage.tokens.prompt + tokens.prompt,
      completion: usage.tokens.completion + tokens.completion,
    }
    usage.output = text
    return text
  }

  const messages = prompt.render(input)
  const text = await complete(messages)
  try {
    return prompt.parse(text, input)
  } catch (first) {
    const repaired = await complete([
      ...messages,
      { role: 'assistant', content: text },
      {
        role: 'user',
        content: `That answer cannot be used: ${whatOf(first)}. Answer once more, in the format asked for and with nothing around it.`,
      },
    ])
    try {
      return prompt.parse(repaired, input)
    } catch (second) {
      throw new QuerentError(
        'bad-completion',
        `Prompt "${prompt.name}": the answer of ${model.name} cannot be used: ${whatOf(second)}`,
        { cause: second },
      )
    }
  }
}

/** What is wrong with an answer, without the advice for people that our errors end with. */
function whatOf(error: unknown): string {
  return isQuerentError(error) ? error.what : toError(error).message
}
