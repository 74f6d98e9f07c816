/** The prompts of agents: instructions, what they are about, and the question last. */
import { QuerentError } from '../../src/errors.ts'
import type { Prompt } from '../../src/prompt.ts'
import type { Message } from '../../src/types.ts'
import { maxTokens, questionOf } from './question.ts'

/** The messages of a prompt: lines of instructions, and parts of what they are about. */
export const asking = (instructions: readonly string[], ...parts: readonly string[]): Message[] => [
  { role: 'system', content: instructions.join('\n') },
  { role: 'user', content: parts.join('\n\n') },
]

interface AgentPrompt<Input, Output> extends Omit<Prompt<Input, Output>, 'name' | 'render' | 'verbatim'> {
  instructions(input: Input): readonly string[]
  /** What stands before the question. Default: nothing. */
  given?(input: Input): readonly string[]
}

/** @param strict whether completions are read as they are, as in training */
export const agentPrompt = <Input extends { readonly question: string }, Output>(
  name: string,
  strict: boolean,
  { instructions, given = () => [], ...settings }: AgentPrompt<Input, Output>,
): Prompt<Input, Output> => ({
  name,
  verbatim: strict,
  temperature: 0,
  maxTokens,
  ...settings,
  render: (input) =>
    asking(instructions(input), ...given(input), questionOf({ question: input.question, history: [] })),
})

/** Why a completion cannot be used. */
export const unusable = (what: string): QuerentError => new QuerentError('bad-completion', what)
