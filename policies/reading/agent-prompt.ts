/** The prompts of agents: instructions, what they are about, and the question last. */
import { QuerentError } from '../../src/errors.ts'
import type { Prompt } from '../../src/prompt.ts'
import type { Message } from '../../src/types.ts'
import { type Asked, maxTokens, type QuestionInput, questionOf } from './question.ts'

/** Lines of instructions, without those that are `false`. */
export type Lines = readonly (string | false)[]

/** The messages of a prompt: instructions, and parts of what they are about. */
export const asking = (instructions: Lines, ...parts: readonly string[]): Message[] => [
  { role: 'system', content: instructions.filter((line) => line !== false).join('\n') },
  { role: 'user', content: parts.join('\n\n') },
]

interface AboutQuestion<Input, Output> extends Omit<Prompt<Input, Output>, 'name' | 'render'> {
  readonly instructions: Lines | ((input: Input) => Lines)
  /** What stands before the question. Default: nothing. */
  given?(input: Input): readonly string[]
}

/** A prompt about a question, in a conversation if the input has one. */
export const questionPrompt = <Input extends QuestionInput & Partial<Asked>, Output>(
  name: string,
  { instructions, given = () => [], ...settings }: AboutQuestion<Input, Output>,
): Prompt<Input, Output> => ({
  name,
  maxTokens,
  ...settings,
  render: (input) =>
    asking(
      typeof instructions === 'function' ? instructions(input) : instructions,
      ...given(input),
      questionOf(input),
    ),
})

interface AgentPrompt<Input, Output> extends Omit<AboutQuestion<Input, Output>, 'verbatim'> {
  /** What a completion must be in training. Default: what `parse` takes. */
  readonly grammar?: RegExp
}

/** @param strict whether completions are read as they are, as in training */
export const agentPrompt = <Input extends QuestionInput, Output>(
  name: string,
  strict: boolean,
  { grammar, ...settings }: AgentPrompt<Input, Output>,
): Prompt<Input, Output> =>
  questionPrompt(name, {
    temperature: 0,
    verbatim: strict,
    ...settings,
    parse(text, input) {
      if (strict && grammar?.test(text) === false)
        throw unusable('There is more or less in it than the format')
      return settings.parse(text, input)
    },
  })

/** Why a completion cannot be used. */
export const unusable = (what: string): QuerentError => new QuerentError('bad-completion', what)

/** What was read. @throws QuerentError `bad-completion` if that is nothing, an empty text or an empty list */
export function usable<Read>(read: Read | undefined, otherwise: string): Read {
  const isEmpty = (typeof read === 'string' || Array.isArray(read)) && read.length === 0
  if (read === undefined || isEmpty) throw unusable(otherwise)
  return read
}
