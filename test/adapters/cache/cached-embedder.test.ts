/** An embedder behind a cache: whose vectors are shared, and what is embedded. */
import { describe, expect, it } from 'vitest'
import { createCache } from '../../../adapters/cache/cache.ts'
import { cachedEmbedder } from '../../../adapters/cache/cached-embedder.ts'
import { type CacheStore, memoryStore } from '../../../adapters/cache/store.ts'
import type { Embedder } from '../../../src/types.ts'
import { expectError } from '../../support/expect-error.ts'
import { settled } from '../../support/manual-clock.ts'

/** A vector of one's own for each text and kind, and what was asked for. */
function counting(name = 'counting', identity = 'query: ') {
  const calls: (readonly string[])[] = []
  const embedder: Embedder = {
    name,
    identity,
    dimensions: 3,
    async embed(texts, { kind }) {
      calls.push(texts)
      return texts.map((text) => Float32Array.of(text.length / 7, kind === 'query' ? 0.1 : -0, 1e-30))
    },
  }
  return { embedder, calls }
}

const asQuery = { kind: 'query' } as const

describe('a cached embedder', () => {
  it('embeds what is missing in one call, and gives the same vectors bit for bit', async () => {
    const { embedder, calls } = counting()
    const cached = cachedEmbedder(embedder, createCache(), { scope: [] })
    await cached.embed(['a', 'bb'], asQuery)
    const texts = ['bb', 'ccc', 'a', 'dddd', 'ccc']
    const vectors = await cached.embed(texts, asQuery)
    expect(calls).toEqual([
      ['a', 'bb'],
      ['ccc', 'dddd'],
    ])
    expect(vectors).toEqual(await counting().embedder.embed(texts, asQuery))
  })

  it.each([
    ['scope', { scope: ['bob'] }],
    ['model', { name: 'other' }],
    ['instruction for queries', { identity: 'question: ' }],
  ] as const)('embeds anew for another %s', async (_, other) => {
    const cache = createCache()
    const { scope, name, identity } = { scope: ['ann'], name: 'counting', identity: 'query: ', ...other }
    await cachedEmbedder(counting().embedder, cache, { scope: ['ann'] }).embed(['a'], asQuery)
    const { embedder, calls } = counting(name, identity)
    await cachedEmbedder(embedder, cache, { scope }).embed(['a'], asQuery)
    expect(calls).toEqual([['a']])
  })

  it('has the name and the identity of the embedder, if it has one', () => {
    const { identity: _, ...nameless } = counting().embedder
    const named = cachedEmbedder(counting().embedder, createCache(), { scope: [] })
    expect(named).toMatchObject({ name: 'counting', identity: 'query: ', dimensions: 3 })
    expect(cachedEmbedder(nameless, createCache(), { scope: [] })).not.toHaveProperty('identity')
  })

  it('looks up hundreds of queries, not all at once: this process has to read the answers in time', async () => {
    const store = memoryStore({ maxEntries: 600 })
    let [waiting, most] = [0, 0]
    const counted: CacheStore = {
      ...store,
      async get(key) {
        most = Math.max(most, ++waiting)
        await settled()
        waiting--
        return store.get(key)
      },
    }
    const texts = Array.from({ length: 600 }, (_, place) => 'a'.repeat(place))
    const expected = await counting().embedder.embed(texts, asQuery)
    for (const missing of [600, 0]) {
      const { embedder, calls } = counting()
      const cached = cachedEmbedder(embedder, createCache({ store: counted, maxEntries: 1 }), { scope: [] })
      expect(await cached.embed(texts, asQuery)).toEqual(expected)
      expect(calls.flat()).toHaveLength(missing)
    }
    expect(most).toBe(256)
  })

  it.each(['', 'AAAA', Buffer.from(Float32Array.of(1, Number.NaN, 0).buffer).toString('base64')])(
    'embeds anew where the store has something else: %j',
    async (wrong) => {
      const store = memoryStore()
      const broken = createCache({ store: { ...store, get: async () => wrong } })
      const { embedder, calls } = counting()
      const cached = cachedEmbedder(embedder, broken, { scope: [] })
      expect(await cached.embed(['a'], asQuery)).toEqual(await embedder.embed(['a'], asQuery))
      expect(calls).toEqual([['a'], ['a']])
    },
  )

  it('leaves documents to the index', async () => {
    const { embedder, calls } = counting()
    const cached = cachedEmbedder(embedder, createCache(), { scope: [] })
    const asDocument = { kind: 'document' } as const
    for (let time = 0; time < 2; time++) await cached.embed(['a'], asDocument)
    expect(calls).toHaveLength(2)
  })

  it('refuses a scope in which JSON shows no caller, and an embedder that leaves texts out', async () => {
    const { embedder } = counting()
    expectError(() => cachedEmbedder(embedder, createCache(), { scope: [new Map()] }), 'bad-config')
    const short: Embedder = { ...embedder, embed: async () => [] }
    await expectError(
      cachedEmbedder(short, createCache(), { scope: [] }).embed(['a'], asQuery),
      'embed-failed',
    )
  })

  it('keeps no failure', async () => {
    const cache = createCache()
    const failing = { ...counting().embedder, embed: () => Promise.reject(new Error('down')) }
    await expect(cachedEmbedder(failing, cache, { scope: [] }).embed(['a'], asQuery)).rejects.toThrow('down')
    const { embedder, calls } = counting()
    await cachedEmbedder(embedder, cache, { scope: [] }).embed(['a'], asQuery)
    expect(calls).toEqual([['a']])
  })
})
