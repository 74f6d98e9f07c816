/** A prompt is a function from an input to an output that a chat model computes. `tools.ask` runs it. */
import { isQuerentError, QuerentError, toError } from './errors.ts'
import { cut } from './text/cut.ts'
import { beginsThinking, type Spoken, spokenOnly, withoutThoughts } from './thoughts.ts'
import type { CacheOutcome, ChatModel, CompleteOptions, Message, Tokens } from './types.ts'

export interface Prompt<Input, Output> {
  /** Which model serves a prompt is configuration keyed by this name. */
  readonly name: string
  render(input: Input): readonly Message[]
  /** The output that a model's answer stands for, without the model's thoughts. Throws if the prompt does not allow the answer. */
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
  /**
   * The part of a final prompt's text that is the answer, which alone is streamed. It gets the text so far, without thoughts; what it
   * returns begins with what it returned before. Default: all of the text.
   */
  answered?(text: string, input: Input): string
  /** Whether `parse` gets a completion as it is, with thoughts in front, as in training. Default: false. */
  readonly verbatim?: boolean
}

/** The maximum length of an answer in characters. A longer text is none, and would take long to parse. */
const longest = 16_000

/** The text. @throws QuerentError `bad-completion` if it is too long for an answer */
export function limited(text: string): string {
  if (text.length <= longest) return text
  throw new QuerentError('bad-completion', `It is longer than ${longest} characters`)
}

/**
 * The output that a completion stands for. All completions are read here.
 *
 * @throws QuerentError `bad-completion` if it is too long (thoughts do not count), or has no end of its thoughts; what `parse` throws
 */
export function parsed<Input, Output>(prompt: Prompt<Input, Output>, text: string, input: Input): Output {
  const said = withoutThoughts(text)
  if (said === undefined && prompt.verbatim !== true)
    throw new QuerentError('bad-completion', 'It ends within its thoughts')
  limited(said ?? text)
  return prompt.parse(prompt.verbatim === true ? text : said!, input)
}

/** Models whose last completion did not begin within thoughts. Streams of others wait: the opening tag may be in the model's template. */
const speakers = new WeakSet<ChatModel>()

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
  const settings: CompleteOptions = { signal, ...settingsOf(prompt) }
  const send = (piece: string): void => {
    isSent = true
    onText?.(piece)
  }
  let spoken: Spoken | undefined
  const complete = async (messages: readonly Message[]): Promise<string> => {
    usage.attempts++
    spoken =
      prompt.final === true && onText !== undefined
        ? spokenOnly(answerOnly(prompt, input, send), !speakers.has(model))
        : undefined
    const streaming = spoken && { onText: spoken.write }
    const { text, tokens, cache } = await model.complete(messages, { ...settings, ...streaming })
    if (beginsThinking(text)) speakers.delete(model)
    else speakers.add(model)
    usage.tokens = {
      prompt: usage.tokens.prompt + tokens.prompt,
      completion: usage.tokens.completion + tokens.completion,
    }
    if (cache !== undefined) usage.cache = cache
    usage.output = text
    return text
  }
  /** Reads a completion. If nothing was passed on so far, the caller gets what was read. */
  const read = (text: string): Output => {
    const output = parsed(prompt, text, input)
    if (spoken === undefined || (output === undefined && !isSent)) return output
    if (isSent || typeof output !== 'string') spoken.end()
    else send(output)
    return output
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
    return read(text)
  } catch (first) {
    if (isSent) throw unusable(first)
    const repaired = await complete([
      ...messages,
      { role: 'assistant', content: cut(withoutThoughts(text) || text, longest) },
      {
        role: 'user',
        content: `That answer cannot be used: ${reasonOf(first)}. Answer once more, in the format asked for and with nothing around it.`,
      },
    ])
    try {
      return read(repaired)
    } catch (second) {
      throw unusable(second)
    }
  }
}

/** Passes on what of the pieces is the answer. */
function answerOnly<Input>(
  prompt: Prompt<Input, unknown>,
  input: Input,
  onText: (piece: string) => void,
): (piece: string) => void {
  if (prompt.answered === undefined) return onText
  let [text, sent] = ['', 0]
  return (piece) => {
    text += piece
    const answer = prompt.answered!(text, input)
    if (answer.length > sent) onText(answer.slice(sent))
    sent = Math.max(sent, answer.length)
  }
}

/** What is wrong with an answer, without the remedy for people that our errors end with. */
function reasonOf(error: unknown): string {
  return isQuerentError(error) ? error.what : toError(error).message
}
