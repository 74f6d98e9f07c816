/** What chat models cost, in traces and in a budget in dollars. */
import { describe, expect, it } from 'vitest'
import { llmReranker } from '../adapters/rerank/llm.ts'
import { mmoa } from '../policies/mmoa-rag/mmoa.ts'
import { createOptimizer, type OptimizerOptions } from '../src/optimizer.ts'
import { costOf } from '../src/prices.ts'
import type { Reranker } from '../src/reranker.ts'
import { traceSchema } from '../src/trace-schema.ts'
import { expectError } from './support/expect-error.ts'
import { finderOf } from './support/finder.ts'
import { scriptedChat, scriptedRetriever } from './support/scripted.ts'

/** Each prompt of the scripted model takes 10 tokens, and its completion 5. */
const prices = { scripted: { prompt: 2, completion: 8 } }
const each = (10 * 2 + 5 * 8) / 1e6

function search(options: Partial<OptimizerOptions>, answers = ['first', 'Document0', 'Yes']) {
  const chat = scriptedChat(answers)
  const optimizer = createOptimizer({
    retrievers: [scriptedRetriever({ found: { who: ['a'], first: ['b'] } })],
    policy: mmoa(),
    chat,
    documents: finderOf(['a', 'b'].map((docid) => ({ docid, text: docid }))),
    ...options,
  })
  return optimizer.search('who')
}

it('is what a million tokens cost, for the tokens', () => {
  expect(costOf({ prompt: 1_000_000, completion: 500_000 }, { prompt: 0.25, completion: 2 })).toBe(1.25)
  expect(costOf({ prompt: 1, completion: 1 }, undefined)).toBeUndefined()
})

it('stands in the trace: of each prompt, and of all', async () => {
  const { trace } = await search({ prices })
  const steps = trace.steps.flatMap((step) => (step.type === 'ask' ? [step.usd] : []))
  expect(steps).toEqual([each, each, each])
  expect(trace.usd).toBeCloseTo(3 * each, 12)
  expect(traceSchema.parse(trace)).toEqual(trace)
})

it('is in no trace without a price', async () => {
  const { trace } = await search({ prices: { another: prices.scripted } })
  expect(JSON.stringify(trace)).not.toContain('usd')
})

describe('a budget in dollars', () => {
  it.each([
    [0.9 * each, 1],
    [each, 1],
    [1.1 * each, 2],
    [2.5 * each, 3],
    [1, 3],
  ])('of %d ends the search in order, after %d prompts', async (usd, asks) => {
    const { trace, hits, answer } = await search({ prices, budget: { usd } })
    expect(trace.steps.filter((step) => step.type === 'ask')).toHaveLength(asks)
    expect(trace).not.toHaveProperty('fallback')
    expect(hits.map(({ docid }) => docid)).toContain('b')
    expect(answer).toBe(asks === 3 ? 'Yes' : undefined)
  })

  it('also counts prompts that failed', async () => {
    // An answer that cannot be used is repaired once: two completions in one prompt.
    const { trace } = await search({ prices, budget: { usd: 1.5 * each } }, ['', '', 'Document0', 'Yes'])
    expect(trace.usd).toBeCloseTo(2 * each, 12)
  })

  it('names the model that has no price', () => {
    expectError(
      () =>
        createOptimizer({ retrievers: [scriptedRetriever()], chat: scriptedChat([]), budget: { usd: 1 } }),
      'bad-config',
      /scripted.*--set prices/s,
    )
  })

  it('names the model of the re-ranker that has no price', () => {
    const rerank = llmReranker({ chat: { ...scriptedChat([]), name: 'judge' } })
    expectError(
      () =>
        createOptimizer({
          retrievers: [scriptedRetriever()],
          chat: scriptedChat([]),
          rerank,
          documents: finderOf([]),
          prices,
          budget: { usd: 1 },
        }),
      'bad-config',
      /judge/,
    )
  })

  it('asks no model without a price for a re-ranker that did not say which ones it asks', async () => {
    const judge = { ...scriptedChat(['[2] > [1]']), name: 'judge' }
    const { models: _, ...rerank }: Reranker = llmReranker({ chat: judge })
    const { trace } = await search({ rerank, prices, budget: { usd: 1 } })
    expect(judge.calls).toEqual([])
    expect(trace.steps.find(({ type }) => type === 'rerank')).toMatchObject({
      error: { code: 'bad-config', message: expect.stringContaining('judge') },
    })
  })

  it('also counts the prompts of the re-ranker', async () => {
    const judge = { ...scriptedChat(['[2] > [1]']), name: 'judge' }
    const { trace } = await search({
      rerank: llmReranker({ chat: judge }),
      prices: { ...prices, judge: { prompt: 1, completion: 1 } },
      budget: { usd: 1 },
    })
    expect(trace.usd).toBeCloseTo(3 * each + (10 + 5) / 1e6, 12)
  })
})

it.each([{ scripted: { prompt: 1 } }, { scripted: { prompt: -1, completion: 1 } }, { scripted: 2 }])(
  'refuses %j for a price',
  (wrong) =>
    expectError(
      () => createOptimizer({ retrievers: [scriptedRetriever()], prices: wrong as never }),
      'bad-config',
      'prices',
    ),
)
