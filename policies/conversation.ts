/** The conversation before a question, as prompts show it. */
import type { Turn } from '../src/types.ts'

/** The maximum length of the conversation in characters; its end is kept. About 1,500 tokens, as in ACQO's paper (A.2). */
const maxLength = 6000

/**
 * The conversation in the format of ConvSearch-R1, which ACQO builds on: `Q1: …`, `A1: …`, one per line. A conversation that is
 * too long is cut at the front, because the current question depends on the latest turns.
 */
export function conversationOf(history: readonly Turn[]): string {
  let questions = 0
  const lines = history.map(({ role, text }) => {
    if (role === 'user') questions++
    return `${role === 'user' ? 'Q' : 'A'}${Math.max(questions, 1)}: ${text.replace(/\s+/g, ' ').trim()}`
  })
  const conversation = lines.join('\n')
  return conversation.length <= maxLength ? conversation : `…${conversation.slice(-maxLength)}`
}
