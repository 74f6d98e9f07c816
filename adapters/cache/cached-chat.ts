/** A chat model whose completions are kept, for one caller. */
import { z } from 'zod'
import { parseConfig } from '../../src/config.ts'
import type { ChatModel, CompleteOptions, Completion } from '../../src/types.ts'
import type { Cache } from './cache.ts'
import { scope } from './scope.ts'

export interface CachedChatOptions {
  /**
   * Who asks, and all that decides what this caller may see: an identity, a filter, a version of the index. JSON; dates and long
   * integers may be in it. Completions are shared by those with an equal scope only. The model's `name` and `identity`, the settings
   * of the request and the messages are in the key anyway. The settings of a model of your own without an `identity` belong here.
   */
  readonly scope: readonly unknown[]
  /** Whether kept completions are left aside and the new ones replace them. Default: false. */
  readonly fresh?: boolean | undefined
}

/** A completion from the cache costs no tokens. Only its text is kept. */
const noTokens = { prompt: 0, completion: 0 }

const optionsSchema = z.strictObject({ scope, fresh: z.boolean().default(false) })

const kept = z.object({ text: z.string().min(1) })

/**
 * @returns the model, with the outcome of the cache in each completion
 * @throws QuerentError `bad-config` for a scope with something that JSON leaves out
 */
export function cachedChat(chat: ChatModel, cache: Cache, options: CachedChatOptions): ChatModel {
  const { scope, fresh } = parseConfig(optionsSchema, options, 'cachedChat')
  const { name, identity } = chat
  return {
    name,
    ...(identity !== undefined && { identity }),
    async complete(messages, options: CompleteOptions = {}): Promise<Completion> {
      const { signal, onText, ...settings } = options
      let isStreamed = false
      const { value, outcome } = await cache.through<Completion>({
        key: ['chat', scope, name, identity, settings, messages],
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
