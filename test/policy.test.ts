/** What a policy can do beyond one decision: several rounds, answers, budgets and decisions of its own. */
import { describe, expect, it } from 'vitest'
import { createOptimizer, type OptimizerOptions } from '../src/optimizer.ts'
import type { Policy } from '../src/policy.ts'
import type { ChatModel, SearchResult } from '../src/types.ts'
import { reader } from './support/answering-policy.ts'
import { scriptedChat, scriptedRetriever } from './support/scripted.ts'

const found = { who: ['a', 'b'], better: ['c'], c: ['d'], d: ['e'], more: ['x'] }
const docids = ({ hits }: SearchResult): string[] => hits.map(({ docid }) => docid)
const search = (policy: Policy, options: Partial<OptimizerOptions> = {}) => {
  const bm25 = scriptedRetriever({ found })
  return { bm25, ...createOptimizer({ retrievers: [bm25], policy, ...options }) }
}

describe('a policy of several rounds', () => {
  const chat = () => scriptedChat(['better', 'It is c.'])

  it('asks, retrieves three times and answers with citations', async () => {
    const { bm25, search: one } = search(reader, { chat: chat() })
    const result = await one('who')
    expect(bm25.calls.map(({ texts }) => texts)).toEqual([['who'], ['better'], ['a'], ['c']])
    // a, c and d are first in a list and b is second; of equals the one with the higher score in its list comes first, then
    // the docid decides.
    expect(result).toMatchObject({ answer: 'It is c.', citations: ['a', 'c'] })
    expect(docids(result)).toEqual(['a', 'c', 'd', 'b'])
    expect(result.hits.map(({ score }) => score)).toEqual([1, 1 / 2, 1 / 3, 1 / 4])
    expect(result.hits[0]?.fused).toEqual({ rank: 1, score: expect.any(Number) })
    expect(result.trace.fallback).toBeUndefined()
    expect(result.trace.outcome).toMatchObject({ answer: 'It is c.', citations: ['a', 'c'] })
    expect(result.trace).toMatchObject({ kind: 'decompose', reason: 'and the first one after that' })
    expect(result.trace.subQueries).toEqual([
      { text: 'who', round: 0 },
      { text: 'better', round: 1 },
      { text: 'a', round: 2, from: 'a' },
      { text: 'c', round: 3, from: 'c' },
    ])
  })

  it('writes no answer for a caller that cannot take one', async () => {
    const model = chat()
    const result = await search(reader, { chat: model }).search('who', { answer: false })
    expect(result.answer).toBeUndefined()
    expect(result.citations).toBeUndefined()
    expect(docids(result)).toEqual(['a', 'c', 'd', 'b'])
    expect(model.calls).toHaveLength(1)
  })

  it.each([
    ['rounds', { rounds: 2 }],
    ['asks', { asks: 1 }],
    ['subQueries', { subQueries: 2 }],
  ])(
    'falls back to the original query where the operator allows fewer %s than it needs',
    async (name, budget) => {
      const result = await search(reader, { chat: chat(), budget }).search('who')
      expect(result.trace.fallback).toMatchObject({
        code: 'budget-exceeded',
        message: expect.stringContaining(`budget.${name}`),
      })
      expect(docids(result)).toEqual(['a', 'b'])
    },
  )

  it('streams the answer of a final prompt, and of no other', async () => {
    const model: ChatModel = {
      name: 'streaming',
      async complete(messages, { onText } = {}) {
        const text = messages[0]!.content === 'who' ? 'better' : 'It is c.'
        for (const piece of text.match(/\S+ ?/g)!) onText?.(piece)
        return { text, tokens: { prompt: 1, completion: 1 } }
      },
    }
    const pieces: string[] = []
    const result = await search(reader, { chat: model }).search('who', {
      onText: (piece) => void pieces.push(piece),
    })
    expect(pieces).toEqual(['It ', 'is ', 'c.'])
    expect(result.answer).toBe('It is c.')
  })
})

describe('a decision', () => {
  const policyOf = (run: Policy['run']): Policy => ({ name: 'mine', run })

  it('is what was retrieved where the policy records none', async () => {
    const silent = policyOf(async (_query, tools) => ({
      hits: tools.fuse(await tools.retrieve([{ text: 'better' }], { reason: 'so' })),
    }))
    expect((await search(silent).search('who')).trace).toMatchObject({ kind: 'rewrite', reason: 'so' })
  })

  it('is the last one that the policy records, with its details', async () => {
    const telling = policyOf(async (_query, tools) => {
      tools.decide('rewrite', 'a first thought')
      tools.decide('as-is', 'nothing to add', { sure: true })
      return { hits: tools.fuse(await tools.original()) }
    })
    const { trace } = await search(telling).search('who')
    expect(trace).toMatchObject({ kind: 'as-is', reason: 'nothing to add' })
    const decided = trace.steps.filter(({ type }) => type === 'decide')
    expect(decided).toMatchObject([{ reason: 'a first thought' }, { details: { sure: true } }])
  })

  it('names the original query as it was typed, and no blank text', async () => {
    const blank = policyOf(async (_query, tools) => ({
      hits: tools.fuse(await tools.retrieve([{ text: ' ' }, { text: 'WHO ' }], { reason: 'r' })),
    }))
    const { bm25, search: one } = search(blank)
    const { trace } = await one('who')
    expect(bm25.calls).toHaveLength(1)
    expect(trace).toMatchObject({ kind: 'as-is', subQueries: [{ text: 'who', round: 0 }] })
  })
})
