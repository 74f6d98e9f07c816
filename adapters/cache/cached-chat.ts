/** A chat model whose completions are kept, for one caller. */
import { z } from 'zod'
import type { ChatModel, CompleteOptions, Completion } from '../../src/types.ts'
import type { Cache } from './cache.ts'

export interface CachedChatOptions {
  /**
   * Who asks, and all that decides what this caller may see: an identity, a filter, a version of the index. Completions are shared
   * by those with an equal scope only. The model, its settings and the messages are in the key anyway.
   */
  readonly scope: readonly unknown[]
  /** Whether kept completions are left aside and the new ones replace them. Default: false. */
  readonly fresh?: boolean | undefined
}

/** A completion from the cache costs no tokens. Only its text is kept. */
const noTokens = { prompt: 0, completion: 0 }

const kept = z.object({ text: z.string().min(1) })

/** @returns the model, with the outcome of the cache in each completion */
export function cachedChat(
  chat: ChatModel,
  cache: Cache,
  { scope, fresh = false }: CachedChatOptions,
): ChatModel {
  return {
    name: chat.name,
    async complete(messages, options: CompleteOptions = {}): Promise<Completion> {
      const { signal, onText, ...settings } = options
      let isStreamed = false
      const { value, outcome } = await cache.through<Completion>({
        key: ['chat', scope, chat.name, settings, messages],
        make: (until) =>
          chat.complete(messages, {
            ...settings,
            signal: until,
            ...(onText !== undefined && {
              onText(piece: string) {
                isStreamed = true
                onText(piece)
              },
            }),
          }),
        write: ({ text }) => JSON.stringify({ text }),
        read: (text) => ({ ...kept.parse(JSON.parse(text)), tokens: noTokens }),
        signal,
        // What a caller has read must not become something else.
        fresh: fresh || onText !== undefined,
      })
      if (!isStreamed) onText?.(value.text)
      const isShared = outcome === 'hit' || outcome === 'joined'
      return {
        text: value.text,
        tokens: isShared ? noTokens : value.tokens,
        ...(outcome !== undefined && { cache: outcome }),
      }
    },
  }
}
