/** Whatever a policy, a model or one of several backends does, the caller has results, and the trace says what happened. */
import { describe, expect, it } from 'vitest'
import { acqo } from '../policies/acqo/acqo.ts'
import { QuerentError } from '../src/errors.ts'
import { createOptimizer, type OptimizerOptions } from '../src/optimizer.ts'
import type { Policy } from '../src/policy.ts'
import { traceSchema } from '../src/trace-schema.ts'
import type { Retriever, SearchResult, Step } from '../src/types.ts'
import { manualClock, settled } from './support/manual-clock.ts'
import { hits, scriptedChat, scriptedRetriever } from './support/scripted.ts'

const found = { who: ['a', 'b'], first: ['c', 'a'], second: ['d'] }
const split = JSON.stringify({ query: 'first%%second' })
const docids = (result: SearchResult): string[] => result.hits.map(({ docid }) => docid)
const stepsOf = <Type extends Step['type']>({ trace }: SearchResult, type: Type) =>
  trace.steps.filter((step): step is Extract<Step, { type: Type }> => step.type === type)
const search = (options: Partial<OptimizerOptions>): Promise<SearchResult> =>
  createOptimizer({ retrievers: [scriptedRetriever({ found })], ...options }).search('who')

describe("the original query's results are returned, and labeled, where a chat model", () => {
  const outcomes: readonly [string, readonly (string | Error)[], string][] = [
    ['is down', [new QuerentError('chat-failed', 'connection refused')], 'chat-failed'],
    ['fails in its own way', [new TypeError('odd')], 'TypeError'],
    ['writes nonsense twice', ['hello.', 'hello again.'], 'bad-completion'],
    ['writes an empty query', ['{"query": " %% "}', '{"query": ""}'], 'bad-completion'],
    ['writes sub-queries that find nothing', ['{"query": "zzz"}'], 'no-hits'],
  ]
  it.each(outcomes)('%s', async (_name, answers, code) => {
    const result = await search({ policy: acqo(), chat: scriptedChat(answers) })
    expect(docids(result)).toEqual(['a', 'b'])
    expect(result.trace).toMatchObject({ kind: 'as-is', fallback: { code } })
    expect(result.trace.reason).toContain('without Querent')
    expect(stepsOf(result, 'fallback')).toHaveLength(1)
  })

  it('is late: the prompt has a deadline of its own, and the call is aborted', async () => {
    const clock = manualClock()
    const chat = scriptedChat([split], { ms: 10_000, clock })
    const searching = search({ policy: acqo(), chat, clock })
    await clock.advance(2999)
    expect(chat.calls[0]?.signal?.aborted).toBe(false)
    await clock.advance(1)
    const result = await searching
    expect(docids(result)).toEqual(['a', 'b'])
    expect(result.trace.fallback).toMatchObject({ code: 'deadline' })
    expect(result.trace.times.total).toBe(3000)
    expect(chat.calls[0]?.signal?.aborted).toBe(true)
  })

  it('writes sub-queries that all fail', async () => {
    const failing = { ...found, first: new Error('no'), second: new Error('no') }
    const retrievers = [scriptedRetriever({ found: failing })]
    const result = await search({ retrievers, policy: acqo(), chat: scriptedChat([split]) })
    expect(docids(result)).toEqual(['a', 'b'])
    expect(result.trace.fallback).toEqual({ code: 'Error', message: 'no' })
  })
})

it('a model that repairs its first answer causes no fallback', async () => {
  const chat = scriptedChat(['Sure! first.', split])
  const result = await search({ policy: acqo(), chat })
  expect(result.trace.fallback).toBeUndefined()
  const usage = { attempts: 2, tokens: { prompt: 20, completion: 10 }, output: split }
  expect(stepsOf(result, 'ask')[0]).toMatchObject(usage)
  expect(chat.calls[1]?.messages.slice(-2).map(({ role }) => role)).toEqual(['assistant', 'user'])
})

describe("the original query's results are returned, and labeled, where a policy", () => {
  const policyOf = (run: Policy['run']): Policy => ({ name: 'mine', run })
  const retrieving = (...rounds: readonly number[]): Policy =>
    policyOf(async (_query, tools) => {
      for (const [round, count] of rounds.entries())
        await tools.retrieve(
          Array.from({ length: count }, (_, place) => ({ text: `text ${round}.${place}` })),
          { reason: 'more' },
        )
      return { hits: tools.fuse(await tools.original()) }
    })

  it.each<readonly [string, string, Policy]>([
    [
      'throws at once',
      'RangeError',
      policyOf(() => {
        throw new RangeError('bug')
      }),
    ],
    ['finds nothing', 'no-hits', policyOf(async () => ({ hits: [] }))],
    ['retrieves once more than it may', 'budget-exceeded', retrieving(1, 1)],
    ['retrieves more texts than it may', 'budget-exceeded', retrieving(16)],
  ])('%s', async (_, code, policy) => {
    const result = await search({ policy })
    expect(docids(result)).toEqual(['a', 'b'])
    expect(result.trace.fallback?.code).toBe(code)
  })

  it('ignores its signal: it is given up at the deadline of the search', async () => {
    const clock = manualClock()
    const stuck = policyOf(() => new Promise(() => {}))
    const searching = search({ policy: stuck, clock, budget: { timeout: 5000 } })
    await clock.advance(5000)
    const result = await searching
    expect(docids(result)).toEqual(['a', 'b'])
    expect(result.trace.fallback?.code).toBe('deadline')
  })

  it('does not await the promise of a tool, which does not end the process', async () => {
    const careless = policyOf(async (_query, tools) => {
      const asking = tools.ask({ name: 'p', render: () => [], parse: () => '' }, undefined)
      void tools.retrieve([{ text: 'once' }], { reason: 'once' })
      void tools.retrieve([{ text: 'twice' }], { reason: 'twice' })
      const legs = await tools.original()
      await settled()
      await asking
      return { hits: tools.fuse(legs) }
    })
    const unhandled: unknown[] = []
    const note = (reason: unknown): void => void unhandled.push(reason)
    process.on('unhandledRejection', note)
    const result = await search({ policy: careless, chat: scriptedChat([new Error('down')]) })
    await settled()
    process.off('unhandledRejection', note)
    expect(result.trace.fallback?.message).toBe('down')
    expect(unhandled).toEqual([])
  })
})

describe('the results are partial, and labeled, where', () => {
  const bm25 = () => scriptedRetriever({ found })

  it('one retriever of two fails', async () => {
    const dense = scriptedRetriever({ name: 'dense', fails: new Error('shard on fire') })
    const result = await search({ retrievers: [bm25(), dense] })
    expect(docids(result)).toEqual(['a', 'b'])
    expect(result.trace.partial).toBe(true)
    expect(stepsOf(result, 'retrieve')[0]?.legs).toMatchObject([
      { retriever: 'bm25', status: 'ok', hits: [{ docid: 'a' }, { docid: 'b' }] },
      { retriever: 'dense', status: 'failed', error: { code: 'Error', message: 'shard on fire' } },
    ])
  })

  it('one retriever of two is late', async () => {
    const clock = manualClock()
    const late = scriptedRetriever({ name: 'dense', found, ms: 60_000, clock })
    const searching = search({ retrievers: [bm25(), late], clock })
    await clock.advance(2000)
    const result = await searching
    expect(docids(result)).toEqual(['a', 'b'])
    expect(result.trace.partial).toBe(true)
    expect(stepsOf(result, 'retrieve')[0]?.legs[1]).toMatchObject({ status: 'late', ms: 2000 })
  })

  it.each<readonly [string, unknown, string]>([
    ['an answer is no list', undefined, 'retriever-failed'],
    ['an answer leaves out a sub-query', [], 'retriever-failed'],
    [
      'an answer has a bad hit',
      [{ subQuery: { text: 'who' }, hits: [{ docid: 'x', score: NaN }] }],
      'bad-list',
    ],
    [
      'a list has the name of another retriever',
      [{ retriever: 'bm25', subQuery: { text: 'who' }, hits: hits('x') }],
      'bad-list',
    ],
  ])('%s', async (_, answer, code) => {
    const wrong = { name: 'dense', retrieve: async () => answer } as unknown as Retriever
    const result = await search({ retrievers: [bm25(), wrong] })
    expect(docids(result)).toEqual(['a', 'b'])
    expect(result.trace.partial).toBe(true)
    expect(stepsOf(result, 'retrieve')[0]?.legs[1]).toMatchObject({ status: 'failed', error: { code } })
    expect(traceSchema.safeParse(result.trace).error).toBeUndefined()
  })

  it('one sub-query of two fails', async () => {
    const retrievers = [scriptedRetriever({ found: { ...found, second: new Error('too long') } })]
    const result = await search({ retrievers, policy: acqo(), chat: scriptedChat([split]) })
    expect(docids(result)).toEqual(['c', 'a'])
    expect(result.trace).toMatchObject({ kind: 'decompose', partial: true })
    expect(result.trace.fallback).toBeUndefined()
  })

  it('the deadline of the search comes during round 1: what is there is fused', async () => {
    const clock = manualClock()
    const slow = scriptedRetriever({ name: 'slow', found, ms: 1500, clock })
    const chat = scriptedChat([split], { ms: 1000, clock })
    const budget = { timeout: 2000 }
    const searching = search({ retrievers: [bm25(), slow], policy: acqo(), chat, budget, clock })
    await clock.advance(2000)
    const result = await searching
    expect(docids(result)).toEqual(['c', 'd', 'a'])
    expect(result.trace).toMatchObject({ kind: 'decompose', partial: true, times: { total: 2000 } })
    const statuses = stepsOf(result, 'retrieve')[1]?.legs.map(({ status }) => status)
    expect(statuses).toEqual(['ok', 'ok', 'late', 'late'])
  })
})

it('no hits are a result, not a failure', async () => {
  const result = await search({ retrievers: [scriptedRetriever()] })
  expect(result.hits).toEqual([])
  expect(result.trace).toMatchObject({ partial: false, kind: 'as-is' })
  expect(result.trace.fallback).toBeUndefined()
})
