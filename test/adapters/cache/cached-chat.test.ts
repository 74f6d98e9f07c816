/** A chat model behind a cache: whose completions are shared, and what they cost. */
import { LosslessNumber } from 'lossless-json'
import { describe, expect, it } from 'vitest'
import { createCache } from '../../../adapters/cache/cache.ts'
import { cachedChat } from '../../../adapters/cache/cached-chat.ts'
import type { ChatModel, CompleteOptions, Message } from '../../../src/types.ts'
import { expectError } from '../../support/expect-error.ts'

const tokens = { prompt: 5, completion: 2 }
const said = (content: string): readonly Message[] => [{ role: 'user', content }]

/** Says something else each time, in two pieces where it is streamed. */
function sampling(name = 'sampling', identity?: string): ChatModel & { readonly asked: () => number } {
  let asked = 0
  return {
    name,
    ...(identity !== undefined && { identity }),
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
    readonly [
      string,
      Partial<{ scope: unknown[]; name: string; identity: string; options: CompleteOptions; text: string }>,
    ]
  >([
    ['caller', { scope: ['bob'] }],
    ['model', { name: 'other' }],
    ['server of the model', { identity: 'https://two.test/v1' }],
    ['temperature', { options: { temperature: 1 } }],
    ['message', { text: 'y' }],
  ])('says something of its own to another %s', async (_, asked) => {
    const { scope = ['ann'], name, identity = 'https://one.test/v1', options, text = 'x' } = asked
    const cache = createCache()
    const first = sampling(undefined, 'https://one.test/v1')
    await cachedChat(first, cache, { scope: ['ann'] }).complete(said('x'))
    const other = sampling(name, identity)
    await cachedChat(other, cache, { scope }).complete(said(text), options)
    expect(other.asked()).toBe(1)
  })

  it('is told apart as the model is', () => {
    const cached = cachedChat(sampling('a', 'at 0.5'), createCache(), { scope: [] })
    expect([cached.name, cached.identity]).toEqual(['a', 'at 0.5'])
    expect(cachedChat(sampling(), createCache(), { scope: [] })).not.toHaveProperty('identity')
  })

  it.each([
    ['headers', (user: string) => new Headers({ authorization: user })],
    ['a map', (user: string) => new Map([['user', user]])],
    ['a symbol', (user: string) => Symbol(user)],
  ])('refuses a scope in which JSON shows no caller: %s', (_, scopeOf) => {
    expectError(
      () => cachedChat(sampling(), createCache(), { scope: [scopeOf('ann')] }),
      'bad-config',
      'scope',
    )
  })

  it.each([
    ['long integers', 9007199254740993n, 9007199254740992n],
    ['dates', new Date(0), new Date(1)],
    ['numbers of a lossless parser', new LosslessNumber('1.0'), new LosslessNumber('1.5')],
  ])('takes the body of a search with %s as scope', async (_, one, other) => {
    const cache = createCache()
    const chat = sampling()
    const texts = []
    for (const since of [one, one, other]) {
      const scope = ['ann', undefined, { filter: { range: { since } }, aggs: undefined }]
      texts.push((await cachedChat(chat, cache, { scope }).complete(said('x'))).text)
    }
    expect(texts).toEqual(['answer 1', 'answer 1', 'answer 2'])
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
