/** Caches of several processes with a real Redis or Valkey between them. */
import { createInterface } from 'node:readline'
import { createClient } from '@redis/client'
import { Agent, request } from 'undici'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createCache } from '../../adapters/cache/cache.ts'
import { cachedEmbedder } from '../../adapters/cache/cached-embedder.ts'
import { cachedRetriever } from '../../adapters/cache/cached-retriever.ts'
import { redisStore } from '../../adapters/cache/redis.ts'
import { buildWinkBm25 } from '../../adapters/search/wink-bm25.ts'
import { createRandom } from '../../src/learn/random.ts'
import type { Embedder, Retriever } from '../../src/types.ts'
import { library } from '../adapters/search/conformance.ts'
import { completion, startChatServer } from '../support/chat-server.ts'
import { freePorts } from '../support/free-ports.ts'
import { startPagedEngine } from '../support/paged-engine.ts'
import { findRedis, startRedis } from '../support/redis-server.ts'
import { ended, spawnCli } from '../support/spawn-cli.ts'
import { isFull } from '../support/tier.ts'

const command = await findRedis()

async function startStore() {
  const [port] = await freePorts(1)
  const server = await startRedis(command!, port!)
  onTestFinished(() => server.kill())
  return { ...server, restarted: () => startRedis(command!, port!) }
}

async function connected(url: string) {
  const errors: string[] = []
  const store = await redisStore({ url, onError: ({ message }) => errors.push(message) })
  onTestFinished(() => store.close())
  return { store, errors }
}

/** A client of the test's own, to look at what is stored. */
async function redisClient(url: string) {
  const client = createClient({ url })
  await client.connect()
  onTestFinished(() => client.destroy())
  return client
}

/** Milliseconds that a cache waits for its server, where entries have to be found also on a busy machine. */
const patience = 30_000

let made = 0
const valueFor = (key: string) => ({
  key: [key],
  make: async () => `value ${++made}`,
  write: (value: string) => value,
  read: (text: string) => text,
})

async function startProxy(argv: readonly string[]) {
  const child = spawnCli(['proxy', '--port', '0', ...argv])
  const end = ended(child)
  onTestFinished(() => void child.kill('SIGKILL'))
  for await (const line of createInterface({ input: child.stderr })) {
    const url = /^Listening on ([^\s,]+)/.exec(line)?.[1]
    if (url !== undefined) return { url, child, end }
  }
  throw new Error(`it ended before it listened: ${(await end).errors}`)
}

describe.skipIf(command === undefined)('with a server (needs redis: apt-get install redis-server)', () => {
  it('processes agree on each value, and entries end', async () => {
    const { url } = await startStore()
    const { store } = await connected(url)
    const other = await connected(url)
    const caches = [
      createCache({ store, ttl: 60_000, timeout: patience }),
      createCache({ store: other.store, timeout: patience }),
    ]
    for (let place = 0; place < 200; place++) {
      const values = await Promise.all(caches.map((cache) => cache.through(valueFor(`key ${place}`))))
      expect(values[0]!.value).toBe(values[1]!.value)
    }
    const raw = await redisClient(url)
    const keys = await raw.keys('*')
    expect(keys).toHaveLength(200)
    for (const key of keys.slice(0, 20)) {
      const left = await raw.pTTL(key)
      expect(left).toBeGreaterThan(0)
      expect(left).toBeLessThanOrEqual(300_000)
    }
  })

  it('a server that dies costs nothing, and is used again when it is back', async () => {
    const server = await startStore()
    const { store, errors } = await connected(server.url)
    const cache = createCache({ store, timeout: patience })
    const first = await cache.through(valueFor('a'))
    await server.kill()
    await vi.waitFor(() => expect(errors.length).toBe(1), { timeout: 15_000 })
    expect(await cache.through(valueFor('a'))).toEqual({ value: first.value, outcome: 'hit' })
    expect((await cache.through(valueFor('b'))).outcome).toBe('failed')

    const again = await server.restarted()
    onTestFinished(() => again.kill())
    const other = createCache({ store: (await connected(server.url)).store, timeout: patience })
    const { value } = await other.through(valueFor('c'))
    await vi.waitFor(
      async () => expect(await createCache({ store }).through(valueFor('c'))).toMatchObject({ value }),
      { timeout: 15_000 },
    )
  })

  it('vectors and legs of one process are those of the other', async () => {
    const { url } = await startStore()
    const bm25 = await buildWinkBm25(library)
    let done = 0
    const embedder: Embedder = {
      name: 'lengths',
      dimensions: 2,
      embed: async (texts) => texts.map((text) => Float32Array.of(text.length / 3, ++done)),
    }
    const retriever: Retriever = {
      ...bm25,
      retrieve: (...request) => {
        done++
        return bm25.retrieve(...request)
      },
    }
    const answers = []
    for (let process = 0; process < 2; process++) {
      const cache = createCache({ store: (await connected(url)).store, timeout: patience })
      answers.push([
        await cachedEmbedder(embedder, cache, { scope: [] }).embed(['the river'], { kind: 'query' }),
        await cachedRetriever(retriever, cache, { scope: [] }).retrieve([{ text: 'the river', round: 0 }], {
          k: 5,
        }),
      ])
    }
    expect(answers[1]).toEqual(answers[0])
    expect(done).toBe(2)
  })

  it('two copies of the proxy agree on pages, callers are kept apart, and a copy may die', async () => {
    const { url: cache } = await startStore()
    let rewrites = 0
    const chat = await startChatServer(() => completion(JSON.stringify({ query: `rewrite ${++rewrites}` })))
    onTestFinished(() => chat.close())
    const target = await startPagedEngine()
    // Three pages of ten come from one fused list.
    const decides = ['--policy', 'acqo', '--no-rerank', '--set', 'window=30']
    const shared = ['--target', target, ...decides, '--set', 'workers=0']
    // Copies agree if the cache answers in time, which it does late on a busy machine.
    const argv = [...shared, '--chat-url', chat.url, '--set', `cache=${cache}`, '--set', 'cacheTimeout=30s']
    const copies = await Promise.all([startProxy(argv), startProxy(argv)])

    const [callers, pages, size] = [50, 3, 10]
    const questions = isFull ? 67 : 7
    const searches = callers * questions * pages
    const random = createRandom(1)
    const dispatcher = new Agent({ connections: callers })
    onTestFinished(() => dispatcher.close())
    let done = 0

    /** A search before a copy: what it found, unless the copy is dead or too busy to optimize it. */
    async function asked(url: string, caller: number, body: object): Promise<readonly string[] | undefined> {
      const answer = await request(`${url}/works/_search`, {
        dispatcher,
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-querent-explain': 'header',
          authorization: `ApiKey caller-${caller}`,
          // As behind a balancer: callers under another name are others.
          host: 'engine',
        },
        body: JSON.stringify(body),
      }).catch(() => undefined)
      const found = (await answer?.body.json().catch(() => undefined)) as
        | { hits: { hits: { _id: string }[] } }
        | undefined
      if (!/^(un)?changed/.test(String(answer?.headers['x-querent']))) return undefined
      return found?.hits.hits.map(({ _id }) => _id)
    }

    async function page(caller: number, question: number, from: number): Promise<readonly string[]> {
      if (done++ === Math.floor(searches / 3)) copies[0]!.child.kill('SIGKILL')
      const body = { from, size, query: { match: { text: `the question ${question}` } } }
      const [first, second] = copies
      for (let tries = 0; tries < 1000; tries++) {
        // As a balancer does, which finds out that a copy is dead by asking it.
        const copy = tries % 2 === 0 && random.integer(2) === 0 ? first! : second!
        const ids = await asked(copy.url, caller, body)
        if (ids !== undefined) return ids
        // A copy that had no place for the first page has none for the others, until it is asked for the first again.
        if (from > 0) await asked(copy.url, caller, { ...body, from: 0 })
      }
      throw new Error('neither copy searched')
    }

    const askedBy = new Map<string, string>()
    await Promise.all(
      Array.from({ length: callers }, async (_, caller) => {
        for (let question = 0; question < questions; question++) {
          const ids: string[] = []
          for (let at = 0; at < pages; at++) ids.push(...(await page(caller, question, at * size)))
          const decisions = new Set(ids.map((id) => id.split(':')[0]!))
          expect(ids).toHaveLength(pages * size)
          expect(new Set(ids).size, 'no hit on two pages').toBe(ids.length)
          expect([...decisions]).toEqual([expect.stringMatching(/^rewrite \d+$/)])
          const [decision] = decisions
          expect(askedBy.get(decision!), 'another caller has it').toBeUndefined()
          askedBy.set(decision!, `${caller}, ${question}`)
        }
      }),
    )
    expect(done).toBe(searches)
    // What was under way in a copy that died or was too busy is asked twice. Without the cache, it would be each page.
    expect(rewrites).toBeGreaterThanOrEqual(callers * questions)
    expect(rewrites).toBeLessThan(1.5 * callers * questions)
  })
})

it('without a server, the proxy says so once and works', async () => {
  const [port] = await freePorts(1)
  const errors: string[] = []
  const store = await redisStore({
    url: `redis://127.0.0.1:${port}`,
    onError: ({ message }) => errors.push(message),
  })
  onTestFinished(() => store.close())
  expect((await createCache({ store }).through(valueFor('x'))).outcome).toBe('failed')
  expect(errors).toHaveLength(1)
})
