/** ACQO: one prompt decides, all sub-queries are searched at once, and rank-score fusion merges them. */
import { describe, expect, it } from 'vitest'
import { type AcqoOptions, acqo } from '../../../policies/acqo/acqo.ts'
import { createOptimizer } from '../../../src/optimizer.ts'
import type { SearchResult } from '../../../src/types.ts'
import { expectError } from '../../support/expect-error.ts'
import { manualClock } from '../../support/manual-clock.ts'
import { scriptedChat, scriptedRetriever } from '../../support/scripted.ts'

const found = { who: ['a', 'b'], first: ['c', 'a'], second: ['d'] }
const answerOf = (...texts: readonly string[]): string => JSON.stringify({ query: texts.join('%%') })
const docids = ({ hits }: SearchResult): string[] => hits.map(({ docid }) => docid)

/** A search for "who", whose model writes these texts. */
async function rewriting(texts: readonly string[], options: AcqoOptions = {}) {
  const bm25 = scriptedRetriever({ found })
  const chat = scriptedChat([answerOf(...texts)])
  const policy = acqo(options)
  const result = await createOptimizer({ retrievers: [bm25], policy, chat }).search('who')
  return { result, searched: bm25.calls.map((call) => call.texts) }
}

describe('sub-queries', () => {
  it('are one more call to each retriever; the original is sent while the model is asked', async () => {
    const clock = manualClock()
    const retrievers = [scriptedRetriever({ found }), scriptedRetriever({ name: 'dense', found })]
    const chat = scriptedChat([answerOf('first', 'second')], { ms: 500, clock })
    const searching = createOptimizer({ retrievers, policy: acqo(), chat, clock }).search('who')
    await clock.advance(499)
    expect(retrievers.map(({ calls }) => calls.length)).toEqual([1, 1])
    await clock.advance(1)
    const result = await searching
    for (const { calls } of retrievers)
      expect(calls.map(({ texts }) => texts)).toEqual([['who'], ['first', 'second']])
    expect(result.trace).toMatchObject({ kind: 'decompose', tokens: { prompt: 10, completion: 5 } })
    expect(docids(result)).toEqual(['c', 'd', 'a']) // c and d lead a list each; the original has no vote
  })

  it('with the original among them do not search it again', async () => {
    const { result, searched } = await rewriting([' WHO ', 'first'])
    expect(searched).toEqual([['who'], ['first']])
    expect(docids(result)).toEqual(['a', 'c', 'b']) // a: 1 + 1/2, c: 1, b: 1/2
  })

  it('that repeat each other are one', async () => {
    const { result, searched } = await rewriting(['first', 'first', ' First'])
    expect(searched).toEqual([['who'], ['first']])
    expect(result.trace).toMatchObject({ kind: 'rewrite', reason: 'the model answered with 1 of at most 3' })
  })

  it("are no more than the paper's three, or than the option says", async () => {
    const texts = ['first', 'second', 'third', 'fourth']
    expect((await rewriting(texts)).searched[1]).toEqual(['first', 'second', 'third'])
    expect((await rewriting(texts, { maxSubQueries: 2 })).searched[1]).toEqual(['first', 'second'])
  })
})

it.each([
  [1, ['first'], 'rewrite', 'the model answered with 3 of at most 3, and the budget allows 1 of them'],
  [
    2,
    ['first', 'second'],
    'decompose',
    'the model answered with 3 of at most 3, and the budget allows 2 of them',
  ],
  [3, ['first', 'second', 'third'], 'decompose', 'the model answered with 3 of at most 3'],
])('a budget of %i sub-queries: the first ones are searched', async (subQueries, expected, kind, reason) => {
  const bm25 = scriptedRetriever({ found })
  const chat = scriptedChat([answerOf('first', 'second', 'third')])
  const optimizer = createOptimizer({ retrievers: [bm25], policy: acqo(), chat, budget: { subQueries } })
  const { trace } = await optimizer.search('who')
  expect(bm25.calls.map(({ texts }) => texts)).toEqual([['who'], expected])
  expect(trace).toMatchObject({ kind, reason })
  expect(trace.fallback).toBeUndefined()
})

it('a query that the model keeps takes nothing of the budget', async () => {
  const bm25 = scriptedRetriever({ found })
  const chat = scriptedChat([answerOf('Who', 'first', 'second')])
  const budget = { subQueries: 1 }
  await createOptimizer({ retrievers: [bm25], policy: acqo(), chat, budget }).search('who')
  expect(bm25.calls.map(({ texts }) => texts)).toEqual([['who'], ['first']])
})

it('a query that the model keeps costs no second request', async () => {
  const { result, searched } = await rewriting(['who'])
  expect(searched).toEqual([['who']])
  expect(result.trace.kind).toBe('as-is')
  expect(docids(result)).toEqual(['a', 'b'])
})

describe('withOriginal', () => {
  it.each([
    [false, ['c', 'd', 'a']],
    // a: 1 (original) + 1/2; c and d: 1 each, c's best score 2 before d's 1; b: 1/2
    [true, ['a', 'c', 'd', 'b']],
  ])('%s: the order is %j', async (withOriginal, expected) => {
    const { result } = await rewriting(['first', 'second'], { withOriginal })
    expect(docids(result)).toEqual(expected)
  })

  it('false: the original is not waited for, and is aborted', async () => {
    const clock = manualClock()
    const slow = scriptedRetriever({ found, ms: 1000, clock })
    const fast = scriptedRetriever({ found })
    const retriever = {
      ...slow,
      retrieve: async (...[subQueries, options]: Parameters<typeof slow.retrieve>) =>
        (subQueries[0]?.text === 'who' ? slow : fast).retrieve(subQueries, options),
    }
    const chat = scriptedChat([answerOf('first', 'second')])
    const optimizer = createOptimizer({ retrievers: [retriever], policy: acqo(), chat, clock })
    const { trace } = await optimizer.search('who')
    expect(trace).toMatchObject({ times: { total: 0 }, partial: false })
    expect(trace.steps.find(({ type }) => type === 'retrieve')).toMatchObject({
      legs: [{ status: 'aborted' }],
    })
    expect(slow.calls[0]?.options.signal?.aborted).toBe(true)
    expect(optimizer.dropped).toBe(0)
    await clock.advance(1000) // the native call ends by itself
    expect(optimizer.dropped).toBe(1)
  })
})

it.each([{ maxSubQueries: 0 }, { maxSubQueries: 16 }, { withOrigin: true }, { rounds: 3 }])(
  'refuses %j',
  (options) => expectError(() => acqo(options as AcqoOptions), 'bad-config'),
)
