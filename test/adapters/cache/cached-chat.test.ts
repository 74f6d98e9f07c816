/** A chat model behind a cache: whose completions are shared, and what they cost. */
import { describe, expect, it } from 'vitest'
import { createCache } from '../../../adapters/cache/cache.ts'
import { cachedChat } from '../../../adapters/cache/cached-chat.ts'
import type { ChatModel, CompleteOptions, Message } from '../../../src/types.ts'

const tokens = { prompt: 5, completion: 2 }
const said = (content: string): readonly Message[] => [{ role: 'user', content }]

/** Says something else each time, in two pieces where it is streamed. */
function sampling(name = 'sampling'): ChatModel & { readonly asked: () => number } {
  let asked = 0
  return {
    name,
    asked: () => asked,
    async complete(_, { onText }: CompleteOptions = {}) {
      const text = `answer ${++asked}`
      onText?.('answer ')
      onText?.(String(asked))
      return { text, tokens }
    },
  }
}

describe('a cached chat model', () => {
  it('says the same to the same caller, for no tokens, and tells so', async () => {
    const chat = sampling()
    const cached = cachedChat(chat, createCache(), { scope: ['ann'] })
    expect(await cached.complete(said('x'))).toEqual({ text: 'answer 1', tokens, cache: 'miss' })
    expect(await cached.complete(said('x'))).toEqual({
      text: 'answer 1',
      tokens: { prompt: 0, completion: 0 },
      cache: 'hit',
    })
    expect(chat.asked()).toBe(1)
  })

  it.each<
    readonly [string, Partial<{ scope: unknown[]; name: string; options: CompleteOptions; text: string }>]
  >([
    ['caller', { scope: ['bob'] }],
    ['model', { name: 'other' }],
    ['temperature', { options: { temperature: 1 } }],
    ['message', { text: 'y' }],
  ])('says something of its own to another %s', async (_, { scope = ['ann'], name, options, text = 'x' }) => {
    const cache = createCache()
    await cachedChat(sampling(), cache, { scope: ['ann'] }).complete(said('x'))
    const other = sampling(name)
    await cachedChat(other, cache, { scope }).complete(said(text), options)
    expect(other.asked()).toBe(1)
  })

  it('streams what the model says now, and keeps it for the next', async () => {
    const cache = createCache()
    const chat = sampling()
    const cached = cachedChat(chat, cache, { scope: [] })
    const pieces: string[] = []
    const onText = (piece: string): void => void pieces.push(piece)
    await cached.complete(said('x'))
    expect((await cached.complete(said('x'), { onText })).text).toBe('answer 2')
    expect(pieces).toEqual(['answer ', '2'])
    expect((await cached.complete(said('x'))).text).toBe('answer 2')
  })

  it('keeps no failure', async () => {
    const cache = createCache()
    const failing: ChatModel = { name: 'sampling', complete: () => Promise.reject(new Error('down')) }
    await expect(cachedChat(failing, cache, { scope: [] }).complete(said('x'))).rejects.toThrow('down')
    expect((await cachedChat(sampling(), cache, { scope: [] }).complete(said('x'))).cache).toBe('miss')
  })
})
