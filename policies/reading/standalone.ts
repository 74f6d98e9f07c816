/** A question that stands alone, for policies whose papers know no conversations. */

import type { Tools } from '../../src/policy.ts'
import type { Prompt } from '../../src/prompt.ts'
import type { Query } from '../../src/types.ts'
import { rewritePrompt } from '../acqo/prompt.ts'
import type { Asked } from './question.ts'

const { render, parse } = rewritePrompt({
  decompose: false,
  maxSubQueries: 1,
  strict: false,
  template: undefined,
})

/** ACQO's prompt for one query. It belongs to no agent of these policies. */
export const standalonePrompt: Prompt<Asked, string> = {
  name: 'reading/standalone',
  render,
  parse: (text, input) => parse(text, input)[0]!,
}

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
