/** What comes with a question, as prompts show it: the conversation before it, and what the search is for. */
import { oneLine } from '../src/text/one-line.ts'
import type { Turn } from '../src/types.ts'

/**
 * The maximum length of the conversation, and of the intent, in characters; the end is kept. About 1,500 tokens, as in ACQO's
 * paper (A.2).
 */
const maxLength = 6000

/**
 * The conversation in the format of ConvSearch-R1, which ACQO builds on: `Q1: …`, `A1: …`, one per line. A conversation that is
 * too long is cut at the front, because the current question depends on the latest turns.
 */
export function conversationOf(history: readonly Turn[]): string {
  let questions = 0
  const lines = history.map(({ role, text }) => {
    if (role === 'user') questions++
    return `${role === 'user' ? 'Q' : 'A'}${Math.max(questions, 1)}: ${oneLine(text)}`
  })
  return lastOf(lines.join('\n'))
}

/** What the search is for, as a part of a user message; nothing without an intent. */
export const intentOf = (intent = ''): readonly string[] =>
  intent.trim() === '' ? [] : [`What the search is for:\n${lastOf(oneLine(intent))}`]

const lastOf = (text: string): string => (text.length <= maxLength ? text : `…${text.slice(-maxLength)}`)
