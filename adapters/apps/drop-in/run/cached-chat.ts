/** Keeps a model's answers for the next pages of a search. A second sample would make the pages parts of two different lists. */
import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { type Clock, systemClock } from '../../../../src/runtime/clock.ts'
import type { ChatModel, Completion } from '../../../../src/types.ts'

/** Kept answers, limited in number and time. */
export type ChatCache = LRUCache<string, Promise<Completion>>

export interface ChatCacheOptions {
  /** Maximum number of kept answers. The oldest are dropped first. Default: 1000. */
  readonly entries?: number
  /** Minutes to keep an answer. Default: 5. */
  readonly minutes?: number
  /** Clock, for tests. Default: the system clock. */
  readonly clock?: Clock
}

export const createChatCache = ({
  entries = 1000,
  minutes = 5,
  clock = systemClock,
}: ChatCacheOptions = {}): ChatCache =>
  new LRUCache({ max: entries, ttl: minutes * 60_000, ttlResolution: 0, perf: clock })

/**
 * The model for one search. The first page always asks the model and keeps the answer. A later page uses the kept answer. If
 * there is none, it asks the model and keeps the answer.
 *
 * @param key the caller and the search, without the page: callers never share answers
 */
export function cachedChat(chat: ChatModel, memory: ChatCache, key: string, isFirstPage: boolean): ChatModel {
  return {
    name: chat.name,
    complete(messages, options) {
      // Hashed: a body may be long, and the cache holds many.
      const place = createHash('sha256')
        .update(JSON.stringify([key, messages]))
        .digest('base64')
      const kept = isFirstPage ? undefined : memory.get(place)
      if (kept !== undefined) return kept
      const completion = chat.complete(messages, options)
      memory.set(place, completion)
      completion.catch(() => {
        if (memory.peek(place) === completion) memory.delete(place)
      })
      return completion
    },
  }
}
