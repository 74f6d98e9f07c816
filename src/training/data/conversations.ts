import { searchKey } from '../../dedupe.ts'
import type { Query } from '../../types.ts'

/**
 * What the turns of a conversation have in common: its first question, which opens the history of all later turns and is the
 * query itself in the first one.
 */
export function conversationOf({ text, history = [] }: Query): string {
  const first = history.find(({ role }) => role === 'user') ?? history[0]
  return searchKey(first?.text ?? text)
}
