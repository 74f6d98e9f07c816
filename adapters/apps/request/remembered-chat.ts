/** A model’s answers, kept for the next pages of a search: sampled twice, they would be parts of two different lists. */
import { LRUCache } from 'lru-cache'
import type { ChatModel, Completion } from '../../../src/types.ts'

/** What was answered on first pages. Bounded in number and time. */
export type Memory = LRUCache<string, Promise<Completion>>

export const createMemory = ({ entries = 1000, minutes = 5 } = {}): Memory =>
  new LRUCache({ max: entries, ttl: minutes * 60_000 })

/**
 * The model for one search. The first page asks it anew and keeps the answer; a later page has the one that was kept, or
 * asks and keeps what it got.
 *
 * @param key who asks and what for, without the page: nobody has another one’s answer
 */
export function rememberedChat(
  chat: ChatModel,
  memory: Memory,
  key: string,
  isFirstPage: boolean,
): ChatModel {
  return {
    name: chat.name,
    complete(messages, options) {
      const place = `${key}\n${JSON.stringify(messages)}`
      const kept = isFirstPage ? undefined : memory.get(place)
      if (kept !== undefined) return kept
      const asked = chat.complete(messages, options)
      memory.set(place, asked)
      asked.catch(() => {
        if (memory.peek(place) === asked) memory.delete(place)
      })
      return asked
    },
  }
}
