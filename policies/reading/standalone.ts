/** A question that stands alone, for policies whose papers know no conversations. It stays a question: prompts answer it. */
import { isSentence, queryLines } from '../../src/completion/query-lines.ts'
import type { Tools } from '../../src/policy.ts'
import type { Prompt } from '../../src/prompt.ts'
import type { Query } from '../../src/types.ts'
import { agentPrompt, usable } from './agent-prompt.ts'
import type { Asked } from './question.ts'

/** It belongs to no agent of these policies. */
export const standalonePrompt: Prompt<Asked, string> = agentPrompt('reading/standalone', false, {
  instructions: [
    'You put the user’s current question in words that can be understood without the conversation.',
    '',
    '- Keep what it asks for, and keep it a question. Write the names of things that it only refers to, and what the search is for if that is said.',
    '- A question that can be understood alone is given back word for word.',
    '- Write the question on one line and nothing else. Do not answer it.',
  ],
  parse(text, { question: asked }) {
    const [question = ''] = queryLines(text)
    const isOther = isSentence(question) && !isSentence(asked)
    return usable(isOther ? undefined : question, 'There is no question in it')
  },
})

/**
 * The question in words that need no conversation, and that say what the search is for. It is the text if there is neither, or
 * if the prompt fails.
 */
export async function standalone(
  { text, history = [], intent = '' }: Query,
  tools: Pick<Tools, 'ask'>,
): Promise<string> {
  if (history.length === 0 && intent.trim() === '') return text
  return tools.ask(standalonePrompt, { question: text, history, intent }).catch(() => text)
}
