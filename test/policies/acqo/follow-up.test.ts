/** ACQO with two rounds: the model reads what its sub-queries found, and may search once more. */
import { describe, expect, it } from 'vitest'
import { type AcqoOptions, acqo } from '../../../policies/acqo/acqo.ts'
import { createOptimizer } from '../../../src/optimizer.ts'
import type { Reranker } from '../../../src/reranker.ts'
import type { SearchOptions } from '../../../src/search.ts'
import { finderOf } from '../../support/finder.ts'
import { manualClock } from '../../support/manual-clock.ts'
import { scriptedChat, scriptedRetriever } from '../../support/scripted.ts'
import { searchAnswering } from '../../support/search-answering.ts'

const found = { who: ['a', 'b'], first: ['c', 'a'], second: ['d'], third: ['e', 'a'], fourth: ['f'] }
const documents = ['a', 'b', 'c', 'd', 'e', 'f'].map((docid) => ({
  docid,
  title: docid.toUpperCase(),
  text: `the text of ${docid}`,
}))
const writes = (...texts: readonly string[]): string => JSON.stringify({ query: texts.join('%%') })

const searching = (
  answers: readonly (string | Error)[],
  options: AcqoOptions = {},
  search: SearchOptions = {},
) =>
  searchAnswering(acqo({ rounds: 2, ...options }), answers, {
    found,
    documents,
    search,
    query: { text: 'who' },
  })

describe('a second look', () => {
  it('shows the best documents of the first batch, and fuses both batches', async () => {
    const { result, searched, shown, asks, docids } = await searching([
      writes('first', 'second'),
      writes('third'),
    ])
    expect(asks).toEqual(['rewrite', 'follow-up'])
    expect(searched).toEqual([['who'], ['first', 'second'], ['third']])
    // c and d lead a list each, and a is the second of one; b was only found by the original, which has no vote.
    expect(shown[1]).toContain(
      'Document 1 (Title: C): the text of c\nDocument 2 (Title: D): the text of d\nDocument 3',
    )
    expect(shown[1]).not.toContain('the text of b')
    expect(shown[1]).toContain('- first\n- second')
    expect(shown[1]).toMatch(/who$/)
    // a: 1/2 + 1/2 = 1, as much as c, d and e; their best scores are 2, 1 and 2, and 1 for a.
    expect(docids.slice(0, 2)).toEqual(['c', 'e'])
    expect(new Set(docids)).toEqual(new Set(['a', 'c', 'd', 'e']))
    expect(result.trace).toMatchObject({ kind: 'decompose' })
    expect(result.trace.reason).toBe('the model answered with 2 of at most 3; what they found led to 1 more')
  })

  it('also follows a query that the model kept', async () => {
    const { searched, result } = await searching([writes('who'), writes('third')])
    expect(searched).toEqual([['who'], ['third']])
    expect(result.trace.kind).toBe('decompose')
  })

  it.each([
    ['nothing more to search', writes('')],
    ['what was searched before', writes('FIRST ', 'who')],
    ['no object', 'no'],
    ['an error', new Error('down')],
  ])('that brings %s leaves the first batch as it is', async (_, answer) => {
    const { searched, docids, result } = await searching([writes('first'), answer, answer])
    expect(searched).toEqual([['who'], ['first']])
    expect(docids).toEqual(['c', 'a'])
    expect(result.trace).toMatchObject({ partial: false, kind: 'rewrite' })
  })

  it('has at most as many sub-queries as the first, and one where the query is not split', async () => {
    const many = writes('first', 'second', 'third', 'fourth')
    expect((await searching([writes('first'), many], { maxSubQueries: 2 })).searched[2]).toEqual(['second'])
    expect(
      (await searching([writes('first'), writes('third', 'fourth')], { decompose: false })).searched[2],
    ).toEqual(['third'])
  })

  it('is not taken without documents, nor where the budget has one round', async () => {
    const bm25 = scriptedRetriever({ found })
    const chat = scriptedChat([writes('first')])
    await createOptimizer({ retrievers: [bm25], policy: acqo({ rounds: 2 }), chat }).search('who')
    expect([chat.calls.length, bm25.calls.length]).toEqual([1, 2])
    const [one, other] = [scriptedChat([writes('first')]), scriptedRetriever({ found })]
    await createOptimizer({
      retrievers: [other],
      policy: acqo({ rounds: 2 }),
      chat: one,
      documents: finderOf(documents),
      budget: { rounds: 1 },
    }).search('who')
    expect([one.calls.length, other.calls.length]).toEqual([1, 2])
  })

  it.each([
    [1, 1, [['who'], ['first']]],
    [2, 2, [['who'], ['first'], ['second']]],
    [3, 2, [['who'], ['first'], ['second', 'third']]],
  ])('has what the first left of a budget of %i sub-queries', async (subQueries, prompts, expected) => {
    const chat = scriptedChat([writes('first'), writes('second', 'third')])
    const retriever = scriptedRetriever({ found })
    const { trace } = await createOptimizer({
      retrievers: [retriever],
      policy: acqo({ rounds: 2 }),
      chat,
      documents: finderOf(documents),
      budget: { subQueries },
    }).search('who')
    expect(chat.calls).toHaveLength(prompts)
    expect(retriever.calls.map(({ texts }) => texts)).toEqual(expected)
    expect(trace.fallback).toBeUndefined()
  })

  it('has its hits re-ranked against what it searched, beside those of the first look', async () => {
    const asked: string[] = []
    const rerank: Reranker = {
      rerank({ text }, _lists, hits) {
        asked.push(text)
        return hits.toReversed().map((hit, place) => ({ ...hit, rank: place + 1 }))
      },
    }
    const { hits } = await createOptimizer({
      retrievers: [scriptedRetriever({ found })],
      policy: acqo({ rounds: 2 }),
      rerank,
      chat: scriptedChat([writes('first', 'second'), writes('third')]),
      documents: finderOf(documents),
    }).search('who')
    expect(asked.toSorted()).toEqual(['third', 'who'])
    expect(hits.map(({ docid }) => docid)).toEqual(['a', 'd', 'e', 'c'])
  })

  it('has time for both prompts, although a search with one prompt ends after 5 s', async () => {
    const clock = manualClock()
    const chat = scriptedChat([writes('first'), writes('third')], { ms: 2999, clock })
    const retriever = scriptedRetriever({ found })
    const optimizer = createOptimizer({
      retrievers: [retriever],
      policy: acqo({ rounds: 2 }),
      chat,
      documents: finderOf(documents),
      clock,
    })
    const searched = optimizer.search('who')
    await clock.advance(2999)
    await clock.advance(2999)
    expect((await searched).hits.map(({ docid }) => docid)).toEqual(['c', 'e', 'a'])
  })

  it('ends with the search that it belongs to', async () => {
    const controller = new AbortController()
    const answers = [writes('first'), writes('third')]
    const chat = scriptedChat(answers)
    const optimizer = createOptimizer({
      retrievers: [scriptedRetriever({ found })],
      policy: acqo({ rounds: 2 }),
      chat: {
        ...chat,
        complete: (messages, options) => {
          if (chat.calls.length === 1) controller.abort(new Error('enough'))
          return chat.complete(messages, options)
        },
      },
      documents: finderOf(documents),
    })
    await expect(optimizer.search('who', { signal: controller.signal })).rejects.toThrow('enough')
  })
})
