/** An `_msearch` of an application's: one request for all of its searches, and one more for each that is decided on. */
import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import type { EngineAnswer } from '../../../../../adapters/apps/drop-in/answer/engine-answer.ts'
import { isObject, type JsonObject } from '../../../../../adapters/apps/drop-in/parse/json.ts'
import { answerRequest } from '../../../../../adapters/apps/drop-in/run/answer-request.ts'
import type {
  RequestEngine,
  SearchItem,
  SearchRequest,
} from '../../../../../adapters/apps/drop-in/run/caller-engine.ts'
import { type AppOptions, appSettings } from '../../../../../adapters/apps/drop-in/run/settings.ts'
import { createCache } from '../../../../../adapters/cache/cache.ts'
import {
  answered,
  answerOf,
  capsOf,
  findIn,
  finding,
  found,
  wordsIn,
} from '../../../../support/fake-engine.ts'
import { deciding, leaving } from '../../../../support/scripted-policy.ts'

const lists = {
  bridge: found('a', 'b', 'c'),
  tunnel: found('t'),
  'golden gate': found('d', 'a'),
}
const find = finding(lists)
const bridge = { header: { index: 'works' }, body: { query: { match: { text: 'bridge' } } } }
const tunnel = { header: {}, body: { query: { match: { text: 'tunnel' } }, size: 1 } }
const foreign = { header: {}, body: { query: { match_all: {} } } }
const policy = deciding(['golden gate'], { withOriginal: false })

interface Sent {
  readonly all: (readonly SearchItem[])[]
  readonly legs: unknown[]
  /** Listeners at the caller's signal, each time that something was sent. */
  readonly listeners: number[]
}

const responseTo = ({ body }: SearchItem): JsonObject => ({
  ...(isObject(body) && isObject(body.query) && body.query.match ? findIn(find, body) : answerOf(found('x'))),
  status: 200,
})

async function ask(
  call: Partial<SearchRequest> & Pick<SearchRequest, 'items'>,
  options: AppOptions,
  answer: (items: readonly SearchItem[], turn: number) => EngineAnswer = (items) =>
    answered({ took: 9, responses: items.map(responseTo) }),
) {
  const whole: SearchRequest = { kind: 'msearch', index: undefined, parameters: {}, ...call }
  const settings = await appSettings({ retries: 0, ...options }, 'test')()
  const sent: Sent = { all: [], legs: [], listeners: [] }
  const engine: RequestEngine = {
    async send(items = whole.items) {
      sent.listeners.push(getEventListeners(signal, 'abort').length)
      return answer(items, sent.all.push([...items]))
    },
    async msearch(legs) {
      sent.legs.push(legs)
      return legs.map(({ body }) => findIn(find, body))
    },
    fieldCaps: async (asked) => capsOf(asked),
  }
  const context = { settings, memory: createCache(), identity: '', explains: false }
  const signal = new AbortController().signal
  const result = await answerRequest(whole, engine, { ...context, signal })
  return 'reason' in result ? result : { ...result, sent }
}

function responsesOf(result: Awaited<ReturnType<typeof ask>>): JsonObject[] {
  if ('reason' in result) throw new Error(result.reason)
  return ((result.body ?? result.own) as { readonly responses: JsonObject[] }).responses
}
const idsOf = ({ hits }: JsonObject): unknown[] =>
  isObject(hits) && Array.isArray(hits.hits) ? hits.hits.map(({ _id }: JsonObject) => _id) : []

it('all searches go as they are, in one; the decided ones are answered anew, the others as they came', async () => {
  const result = await ask({ items: [bridge, foreign, tunnel] }, { policy })
  const { sent, optimized, own } = result as Exclude<typeof result, { reason: string }>
  expect(sent.all).toEqual([[bridge, foreign, tunnel]])
  expect(responsesOf(result).map(idsOf)).toEqual([['d', 'a', 'b', 'c'], ['x'], ['d']])
  expect(responsesOf(result)[1]).toBe((own as { readonly responses: unknown[] }).responses[1])
  expect(optimized.map((one) => ('reason' in one ? one.reason : one.trace?.kind))).toEqual([
    'rewrite',
    expect.any(String),
    'rewrite',
  ])
})

it("however many searches there are, the caller's signal is listened to once", async () => {
  const result = await ask({ items: Array(20).fill(bridge) }, { policy })
  const { sent } = result as Exclude<typeof result, { reason: string }>
  expect(Math.max(...sent.listeners)).toBeLessThanOrEqual(2)
})

it("the whole answer is the engine's own where every query is left alone", async () => {
  const result = await ask({ items: [bridge, tunnel] }, { policy: leaving })
  expect(result).not.toHaveProperty('body')
  expect(responsesOf(result).map(idsOf)).toEqual([['a', 'b', 'c'], ['t']])
})

it('a wider search takes its own place among the others, which stay what they are', async () => {
  const later = { ...bridge, body: { ...bridge.body, from: 1, size: 1 } }
  const result = await ask({ items: [foreign, later, tunnel] }, { policy: leaving })
  const { sent } = result as Exclude<typeof result, { reason: string }>
  expect(sent.all).toEqual([
    [foreign, { header: later.header, body: { ...bridge.body, from: 0, size: 2 } }, tunnel],
  ])
  expect(responsesOf(result).map(idsOf)).toEqual([['x'], ['b'], ['t']])
})

it('what a header line says is on each leg, its index included', async () => {
  const header = { index: ['one', 'two'], routing: 'a', preference: 'p', ignore_unavailable: true }
  const parameters = { search_type: 'dfs_query_then_fetch', max_concurrent_searches: '3' }
  const result = await ask({ parameters, items: [{ ...bridge, header }] }, { policy })
  const { sent } = result as Exclude<typeof result, { reason: string }>
  expect(sent.legs).toEqual([
    [
      {
        header: {
          index: ['one', 'two'],
          routing: 'a',
          preference: 'p',
          ignore_unavailable: true,
          search_type: 'dfs_query_then_fetch',
        },
        body: expect.objectContaining({ query: { match: { text: 'golden gate' } } }),
      },
    ],
  ])
})

it('a search that is logged is logged once', async () => {
  const ext = { ubi: { query_id: 'q-1' } }
  const items = [{ ...bridge, body: { ...bridge.body, ext } }, foreign]
  const result = await ask({ items }, { policy, rerank: false })
  if ('reason' in result) throw new Error(result.reason)
  const { all, legs } = result.sent
  expect(all.flat().map(({ body }) => (body as JsonObject).ext)).toEqual([ext, undefined])
  expect(legs).toHaveLength(1)
  expect(JSON.stringify(legs)).not.toContain('ubi')
})

describe('a wider search that is refused', () => {
  const later = { ...bridge, body: { ...bridge.body, from: 1, size: 1 } }
  const refused = { error: { type: 'x', reason: 'too wide' }, status: 400 }

  it('is sent by itself, as it was, and the others are not sent again', async () => {
    const result = await ask({ items: [later, tunnel] }, { policy: leaving }, (items, turn) =>
      answered({
        took: 1,
        responses: items.map((item) => {
          if (turn === 1 && item !== tunnel) return refused
          const { from = 0, size = 10 } = item.body as { from?: number; size?: number }
          return answerOf(lists[wordsIn(item.body as JsonObject) as keyof typeof lists], { from, size })
        }),
      }),
    )
    const { sent } = result as Exclude<typeof result, { reason: string }>
    expect(sent.all).toHaveLength(2)
    expect(sent.all[1]).toEqual([later])
    expect(responsesOf(result).map(idsOf)).toEqual([['a', 'b', 'c'].slice(1, 2), ['t']])
  })

  it.each<readonly [string, () => EngineAnswer]>([
    ['is refused', () => answered(refused, 413)],
    ['has too few responses', () => answered({ took: 1, responses: [] })],
    ['is not answered', () => expect.fail('cut')],
  ])('is sent with the others, as they were, where the whole %s', async (_, answer) => {
    const result = await ask({ items: [later, tunnel, later] }, { policy: leaving }, (items, turn) =>
      turn === 1 ? answer() : answered({ responses: items.map(responseTo) }),
    )
    const { sent, optimized } = result as Exclude<typeof result, { reason: string }>
    expect(sent.all.slice(1)).toEqual([[later, tunnel, later]])
    expect(responsesOf(result).map(idsOf)).toEqual([['b'], ['t'], ['b']])
    const codes = optimized.map((one) => ('reason' in one ? one.reason : one.trace?.fallback?.code))
    expect(codes).toEqual(['retriever-failed', undefined, 'retriever-failed'])
  })
})

describe('a search that goes alone', () => {
  const later = { ...bridge, body: { ...bridge.body, from: 1, size: 1 } }
  const refused = { error: { type: 'circuit_breaking_exception', reason: 'too much' }, status: 400 }
  const failed = { type: 'unavailable', reason: 'gone' }
  const failures = [{ shard: 1, reason: { type: 'circuit_breaking_exception' } }]
  const partly = { ...answerOf(found('a')), _shards: { total: 2, successful: 1, failed: 1, failures } }
  const broken = Object.assign(new Error('broken'), { code: 'ECONNRESET' })

  it.each<readonly [string, JsonObject, EngineAnswer | Error, JsonObject]>([
    [
      'the error of its own request, as an engine writes it',
      refused,
      answered({ error: failed, status: 503 }, 503),
      { error: failed, status: 503 },
    ],
    ['its first error, where that request has none', refused, answered(undefined, 503), refused],
    ['its first error, where that request has no searches', refused, answered({ took: 1 }), refused],
    ['its first error, where the connection breaks', refused, broken, refused],
    [
      'an error, where its first response has more than the caller asked for',
      partly,
      answered(undefined, 503),
      { error: 'The engine answered with status 503', status: 503 },
    ],
  ])('is answered with %s, and the others keep their answers', async (_, first, alone, expected) => {
    const result = await ask({ items: [later, tunnel] }, { policy: leaving }, (items, turn) => {
      if (turn === 1) return answered({ took: 1, responses: [first, responseTo(items[1]!)] })
      if (alone instanceof Error) throw alone
      // A client's own form of an answer is no response of an engine.
      return { ...alone, own: { error: new Error('of the client') } }
    })
    const { sent } = result as Exclude<typeof result, { reason: string }>
    expect(sent.all.slice(1)).toEqual([[later]])
    expect(responsesOf(result)[0]).toEqual(expected)
    expect(idsOf(responsesOf(result)[1]!)).toEqual(['t'])
  })

  it('ends the whole where what happened to it would not have passed', async () => {
    const asked = ask({ items: [later, tunnel] }, { policy: leaving }, (items, turn) => {
      if (turn > 1) throw new Error('too long to hold')
      return answered({ took: 1, responses: [refused, responseTo(items[1]!)] })
    })
    await expect(asked).rejects.toThrow('too long to hold')
  })
})

describe('words next to bodies with a slot', () => {
  const marked = { header: { index: 'works' }, body: { query: { match: { text: '{{query}}' } } } }
  const sorted = { header: {}, body: { ...marked.body, sort: ['year'] } }
  const filled = { ...marked, body: bridge.body }

  it('are in everything that is sent, and are what is decided on', async () => {
    const result = await ask({ items: [marked, sorted, foreign], query: 'bridge' }, { policy })
    const { sent, optimized } = result as Exclude<typeof result, { reason: string }>
    expect(sent.all).toEqual([[filled, { header: {}, body: { ...filled.body, sort: ['year'] } }, foreign]])
    expect(JSON.stringify(sent.legs)).toContain('golden gate')
    expect(responsesOf(result).map(idsOf)).toEqual([['d', 'a', 'b', 'c'], ['a', 'b', 'c'], ['x']])
    expect(optimized.map((one) => ('reason' in one ? one.reason : one.trace?.query.text))).toEqual([
      'bridge',
      'it is not sorted by `_score` first',
      'it has no `{{query}}`',
    ])
  })

  it('are in a wider search, and in what is sent again', async () => {
    const later = { ...marked, body: { ...marked.body, from: 1, size: 1 } }
    const result = await ask({ items: [later], query: 'bridge' }, { policy: leaving }, (items, turn) =>
      turn === 1 ? answered({ error: {} }, 400) : answered({ responses: items.map(responseTo) }),
    )
    const { sent } = result as Exclude<typeof result, { reason: string }>
    expect(sent.all.map(([item]) => item!.body)).toEqual([
      { ...filled.body, from: 0, size: 2 },
      { ...filled.body, from: 1, size: 1 },
    ])
  })
})

describe('failures', () => {
  it("a failed item stays that item's error", async () => {
    const failed = { error: { type: 'x', reason: 'so' }, status: 500 }
    const result = await ask({ items: [bridge, tunnel] }, { policy: leaving }, (items) =>
      answered({ took: 1, responses: [failed, responseTo(items[1]!)] }),
    )
    expect(responsesOf(result)[0]).toBe(failed)
    const decided = await ask({ items: [bridge, tunnel] }, { policy }, (items) =>
      answered({ took: 1, responses: [failed, responseTo(items[1]!)] }),
    )
    expect(responsesOf(decided)[0]).toBe(failed)
    expect(idsOf(responsesOf(decided)[1]!)).toEqual(['d'])
  })

  it("a failed `_msearch` is the caller's answer, once", async () => {
    const failed = { error: 'no', status: 401 }
    const result = await ask({ items: [bridge, tunnel] }, { policy }, () => answered(failed, 401))
    const { sent, own } = result as Exclude<typeof result, { reason: string }>
    expect(own).toBe(failed)
    expect(sent.all).toHaveLength(1)
  })

  it("too few responses are the caller's answer", async () => {
    const short = { took: 1, responses: [responseTo(bridge)] }
    const result = await ask({ items: [bridge, tunnel] }, { policy: leaving }, () => answered(short))
    expect((result as { own: unknown }).own).toBe(short)
    expect(result).not.toHaveProperty('body')
  })
})

it('passes through as a whole where nothing is understood, and with `filter_path`', async () => {
  expect(await ask({ items: [foreign, foreign] }, { policy })).toEqual({
    reason: 'none of its searches can be optimized',
  })
  expect(await ask({ items: [bridge], parameters: { filter_path: 'took' } }, { policy })).toEqual({
    reason: "filter_path of an _msearch is the engine's to apply",
  })
})
