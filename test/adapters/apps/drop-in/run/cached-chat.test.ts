/** A sampled decision is kept for the next pages of a search, for that caller alone, and not for ever. */
import { describe, expect, it } from 'vitest'
import type { SearchCall } from '../../../../../adapters/apps/drop-in/parse/parse-search.ts'
import {
  type ChatCache,
  cachedChat,
  createChatCache,
} from '../../../../../adapters/apps/drop-in/run/cached-chat.ts'
import type { ChatModel, Message } from '../../../../../src/types.ts'
import {
  fakeEngine,
  found,
  idsOf,
  type Running,
  run,
  searchFor,
  wordsIn,
} from '../../../../support/fake-engine.ts'
import { manualClock } from '../../../../support/manual-clock.ts'

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
  memory: ChatCache,
  call: SearchCall,
  more: Partial<Running> = {},
): Promise<string> => {
  const result = await run(call, fakeEngine(call, find), {
    options: { policy: 'acqo', chat },
    memory,
    ...more,
  })
  return idsOf(result)[0]!
}
const page = (from: number, more = {}): SearchCall => searchFor('bridge', { ...more, from, size: 10 })

describe('page 2', () => {
  it('has what was answered for page 1', async () => {
    const chat = sampling()
    const memory = createChatCache()
    expect(await ask(chat, memory, page(0))).toBe('rewrite 1: 0')
    expect(await ask(chat, memory, page(10))).toBe('rewrite 1: 10')
    expect(await ask(chat, memory, page(20))).toBe('rewrite 1: 20')
    expect(chat.asked()).toBe(1)
  })

  it('has it where the page is in the URL', async () => {
    const chat = sampling()
    const memory = createChatCache()
    const inUrl = (from: string) => searchFor('bridge', {}, { from, size: '10', routing: 'a' })
    expect(await ask(chat, memory, inUrl('0'))).toBe('rewrite 1: 0')
    expect(await ask(chat, memory, inUrl('10'))).toBe('rewrite 1: 10')
  })

  it('has the newer one where page 1 was asked for again', async () => {
    const chat = sampling()
    const memory = createChatCache()
    await ask(chat, memory, page(0))
    expect(await ask(chat, memory, page(0))).toBe('rewrite 2: 0')
    expect(await ask(chat, memory, page(10))).toBe('rewrite 2: 10')
  })

  it('asks where there was no page 1, and page 3 has that', async () => {
    const chat = sampling()
    const memory = createChatCache()
    expect(await ask(chat, memory, page(10))).toBe('rewrite 1: 10')
    expect(await ask(chat, memory, page(20))).toBe('rewrite 1: 20')
  })

  it('has the answer that was repaired on page 1', async () => {
    const chat = sampling(['no JSON', JSON.stringify({ query: 'repaired' }), 'no JSON'])
    const memory = createChatCache()
    expect(await ask(chat, memory, page(0))).toBe('repaired: 0')
    expect(await ask(chat, memory, page(10))).toBe('repaired: 10')
    expect(chat.asked()).toBe(2)
  })

  it('asks anew where page 1 had no answer', async () => {
    const memory = createChatCache()
    const failing: ChatModel = { name: 'failing', complete: () => Promise.reject(new Error('down')) }
    expect(await ask(failing, memory, page(0))).toBe('bridge: 0')
    expect(memory.size).toBe(0)
    expect(await ask(sampling(), memory, page(10))).toBe('rewrite 1: 10')
  })

  it('of a body with numbers that JSON.stringify does not know has it, too', async () => {
    const chat = sampling()
    const memory = createChatCache()
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
  const memory = createChatCache()
  await ask(chat, memory, page(0))
  expect(await ask(chat, memory, call, more)).toBe('rewrite 2: 10')
})

describe('memory', () => {
  const messages = (text: string): readonly Message[] => [{ role: 'user', content: text }]
  const answers = async (memory: ChatCache, chat: ChatModel, key: string, text = 'x') =>
    (await cachedChat(chat, memory, key, false).complete(messages(text))).text

  it('is bounded in number: the oldest answers go first', async () => {
    const memory = createChatCache({ entries: 2 })
    const chat = sampling(['1', '2', '3', '4'])
    for (const key of ['a', 'b', 'c']) await answers(memory, chat, key)
    expect(memory.size).toBe(2)
    expect(await answers(memory, chat, 'c')).toBe('3')
    expect(await answers(memory, chat, 'b')).toBe('2')
    expect(await answers(memory, chat, 'a')).toBe('4')
  })

  it('is bounded in time', async () => {
    const clock = manualClock()
    await clock.advance(1)
    const memory = createChatCache({ minutes: 5, clock })
    const chat = sampling(['1', '2'])
    expect(await answers(memory, chat, 'a')).toBe('1')
    await clock.advance(5 * 60_000)
    expect(await answers(memory, chat, 'a')).toBe('1')
    await clock.advance(1)
    expect(await answers(memory, chat, 'a')).toBe('2')
  })

  it('is bounded in size: nothing of a body is kept', async () => {
    const memory = createChatCache()
    const secret = 'secret '.repeat(100_000)
    await answers(memory, sampling(), secret, secret)
    for (const key of memory.keys()) {
      expect(key).toHaveLength(44)
      expect(key).not.toContain('secret')
    }
  })

  it("keeps no text of one caller's apart from another's by a sign that both may write", async () => {
    const memory = createChatCache()
    const chat = sampling(['1', '2', '3'])
    expect(await answers(memory, chat, 'a\n[]', 'b')).toBe('1')
    expect(await answers(memory, chat, 'a', '\n[]b')).toBe('2')
  })

  it('forgets an answer that failed, and not the one that took its place', async () => {
    const memory = createChatCache()
    let fail: (error: Error) => void = () => {}
    const slow: ChatModel = {
      name: 'slow',
      complete: () =>
        new Promise((_, reject) => {
          fail = reject
        }),
    }
    const first = cachedChat(slow, memory, 'a', true).complete(messages('x'))
    expect((await cachedChat(sampling(['new']), memory, 'a', true).complete(messages('x'))).text).toBe('new')
    fail(new Error('late'))
    await expect(first).rejects.toThrow('late')
    expect(await answers(memory, sampling(['other']), 'a')).toBe('new')
  })
})
