/** A sampled decision is kept for the next pages of a search, for that caller alone, and not for ever. */
import { describe, expect, it } from 'vitest'
import type { SearchCall } from '../../../../../adapters/apps/drop-in/parse/parse-search.ts'
import { type Cache, createCache } from '../../../../../adapters/cache/cache.ts'
import type { ChatModel } from '../../../../../src/types.ts'
import {
  fakeEngine,
  found,
  idsOf,
  type Running,
  run,
  searchFor,
  wordsIn,
} from '../../../../support/fake-engine.ts'

/** Answers with another rewrite each time, as one that samples may. */
function sampling(answers: readonly string[] = []): ChatModel & { readonly asked: () => number } {
  let asked = 0
  return {
    name: 'sampling',
    asked: () => asked,
    async complete() {
      const text = answers[asked++] ?? JSON.stringify({ query: `rewrite ${asked}` })
      return { text, tokens: { prompt: 1, completion: 1 } }
    },
  }
}

/** Each text has documents of its own: which were fused tells what was decided. */
const find = (body: Parameters<typeof wordsIn>[0]) => {
  const text = wordsIn(body)
  return found(...[...Array(30).keys()].map((place) => `${text}: ${place}`))
}

const ask = async (
  chat: ChatModel,
  memory: Cache,
  call: SearchCall,
  more: Partial<Running> = {},
): Promise<string> => {
  const result = await run(call, fakeEngine(call, find), {
    options: { policy: 'acqo', chat, window: 30 },
    memory,
    ...more,
  })
  return idsOf(result)[0]!
}
const page = (from: number, more = {}): SearchCall => searchFor('bridge', { ...more, from, size: 10 })

describe('page 2', () => {
  it('has what was answered for page 1', async () => {
    const chat = sampling()
    const memory = createCache()
    expect(await ask(chat, memory, page(0))).toBe('rewrite 1: 0')
    expect(await ask(chat, memory, page(10))).toBe('rewrite 1: 10')
    expect(await ask(chat, memory, page(20))).toBe('rewrite 1: 20')
    expect(chat.asked()).toBe(1)
  })

  it('has it where each page is logged under an id of its own', async () => {
    const chat = sampling()
    const memory = createCache()
    const logged = (from: number) => page(from, { ext: { ubi: { query_id: `page at ${from}` } } })
    expect(await ask(chat, memory, logged(0))).toBe('rewrite 1: 0')
    expect(await ask(chat, memory, logged(10))).toBe('rewrite 1: 10')
  })

  it('has it where the page is in the URL', async () => {
    const chat = sampling()
    const memory = createCache()
    const inUrl = (from: string) => searchFor('bridge', {}, { from, size: '10', routing: 'a' })
    expect(await ask(chat, memory, inUrl('0'))).toBe('rewrite 1: 0')
    expect(await ask(chat, memory, inUrl('10'))).toBe('rewrite 1: 10')
  })

  it('has the newer one where page 1 was asked for again', async () => {
    const chat = sampling()
    const memory = createCache()
    await ask(chat, memory, page(0))
    expect(await ask(chat, memory, page(0))).toBe('rewrite 2: 0')
    expect(await ask(chat, memory, page(10))).toBe('rewrite 2: 10')
  })

  it('asks where there was no page 1, and page 3 has that', async () => {
    const chat = sampling()
    const memory = createCache()
    expect(await ask(chat, memory, page(10))).toBe('rewrite 1: 10')
    expect(await ask(chat, memory, page(20))).toBe('rewrite 1: 20')
  })

  it('has the answer that was repaired on page 1', async () => {
    const chat = sampling(['no JSON', JSON.stringify({ query: 'repaired' }), 'no JSON'])
    const memory = createCache()
    expect(await ask(chat, memory, page(0))).toBe('repaired: 0')
    expect(await ask(chat, memory, page(10))).toBe('repaired: 10')
    expect(chat.asked()).toBe(2)
  })

  it('asks anew where page 1 had no answer', async () => {
    const memory = createCache()
    const failing: ChatModel = { name: 'failing', complete: () => Promise.reject(new Error('down')) }
    expect(await ask(failing, memory, page(0))).toBe('bridge: 0')
    expect(await ask(sampling(), memory, page(10))).toBe('rewrite 1: 10')
  })

  it('of a body with numbers that JSON.stringify does not know has it, too', async () => {
    const chat = sampling()
    const memory = createCache()
    const long = { post_filter: { term: { serial: 9007199254740993n } } }
    expect(await ask(chat, memory, page(0, long))).toBe('rewrite 1: 0')
    expect(await ask(chat, memory, page(10, long))).toBe('rewrite 1: 10')
    const other = { post_filter: { term: { serial: 9007199254740992n } } }
    expect(await ask(chat, memory, page(10, other))).toBe('rewrite 2: 10')
  })
})

it.each<readonly [string, SearchCall, Partial<Running>]>([
  ['caller', page(10), { identity: 'somebody else' }],
  ['filter', page(10, { post_filter: { term: { a: 1 } } }), {}],
  ['index', { ...page(10), index: 'other' }, {}],
  ['routing', { ...page(10), parameters: { routing: 'b' } }, {}],
  ['page size', searchFor('bridge', { from: 10, size: 5 }), {}],
  ['conversation', page(10), { history: [{ role: 'user', text: 'Tell me of New York.' }] }],
  ['question', searchFor('tunnel', { from: 10 }), {}],
])('another %s has an answer of its own', async (_, call, more) => {
  const chat = sampling()
  const memory = createCache()
  await ask(chat, memory, page(0))
  expect(await ask(chat, memory, call, more)).toBe('rewrite 2: 10')
})
