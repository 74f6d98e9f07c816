/** A model's answers, kept for the next pages of a search: sampled twice, they would be parts of two different lists. */
import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { type Clock, systemClock } from '../../../../src/runtime/clock.ts'
import type { ChatModel, Completion } from '../../../../src/types.ts'

/** What was answered on first pages. Bounded in number and time. */
export type ChatCache = LRUCache<string, Promise<Completion>>

export interface ChatCacheOptions {
  /** Answers that are kept at the most; the oldest go first. Default: 1000. */
  readonly entries?: number
  /** How long an answer is kept. Default: 5. */
  readonly minutes?: number
  /** Time, for tests. Default: the system's. */
  readonly clock?: Clock
}

export const createChatCache = ({
  entries = 1000,
  minutes = 5,
  clock = systemClock,
}: ChatCacheOptions = {}): ChatCache =>
  new LRUCache({ max: entries, ttl: minutes * 60_000, ttlResolution: 0, perf: clock })

/**
 * The model for one search. The first page asks it anew and keeps the answer; a later page has the one that was kept, or
 * asks and keeps what it got.
 *
 * @param key who asks and what for, without the page: nobody has another one's answer
 */
export function cachedChat(chat: ChatModel, memory: ChatCache, key: string, isFirstPage: boolean): ChatModel {
  return {
    name: chat.name,
    complete(messages, options) {
      // A body may be long, and there are many.
      const place = createHash('sha256')
        .update(JSON.stringify([key, messages]))
        .digest('base64')
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
