import { searchKey } from '../../dedupe.ts'
import type { Query } from '../../types.ts'

/**
 * The key that all turns of a conversation share: its first question. Later turns have it at the start of their history; for
 * the first turn it is the query itself.
 */
export function conversationOf({ text, history = [] }: Query): string {
  const first = history.find(({ role }) => role === 'user') ?? history[0]
  return searchKey(first?.text ?? text)
}
