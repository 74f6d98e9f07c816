/** Re-ranking models of the AI SDK, as its own test model plays them. */
import { MockRerankingModelV3 } from 'ai/test'
import { expect, it } from 'vitest'
import { type AiRerankingModel, aiReranker } from '../../../adapters/rerank/ai-sdk.ts'
import type { Reranker } from '../../../src/reranker.ts'
import { expectError } from '../../support/expect-error.ts'
import { deferred } from '../../support/held.ts'
import { searchWith, testReranker } from './conformance.ts'

type Ranking = Awaited<ReturnType<AiRerankingModel['doRerank']>>['ranking']

/** A model that gives documents these scores. */
const scoring = (scoreOf: (text: string) => number): MockRerankingModelV3 =>
  new MockRerankingModelV3({
    modelId: 'scripted',
    doRerank: async ({ documents: { values } }) => ({
      ranking: values.map((text, index) => ({ index, relevanceScore: scoreOf(String(text)) })),
    }),
  })

const answering = async (ranking: unknown): Promise<Reranker> =>
  aiReranker({ model: { modelId: 'scripted', doRerank: async () => ({ ranking: ranking as Ranking }) } })

const results = (...all: readonly (readonly [number, unknown])[]) =>
  all.map(([index, relevanceScore]) => ({ index, relevanceScore }))

const broken: Readonly<Record<string, unknown>> = {
  'too few results': results([0, 0.1], [2, 0.3]),
  'a document twice instead of another': results([0, 0.1], [1, 0.2], [1, 0.3]),
  'an index out of range': results([0, 0.1], [1, 0.2], [3, 0.3]),
  'a score that is text': results([0, 0.1], [1, 0.2], [2, '0.3']),
  'no list': undefined,
}

testReranker('aiReranker', {
  hasTies: true,
  make: async (scores, options) => aiReranker({ model: scoring((text) => scores[text]!), ...options }),
  async hanging(options) {
    const [asked, left] = [deferred(), deferred()]
    const model: AiRerankingModel = {
      modelId: 'hanging',
      doRerank({ abortSignal }) {
        abortSignal?.addEventListener('abort', () => left.resolve())
        asked.resolve()
        return new Promise(() => {})
      },
    }
    const reranker = aiReranker({ model, timeout: 60_000, ...options })
    return { reranker, asked: asked.promise, left: left.promise }
  },
  faults: {
    ...Object.fromEntries(
      Object.entries(broken).map(([name, ranking]) => [
        name,
        { make: () => answering(ranking), code: 'rerank-failed' },
      ]),
    ),
    'the provider fails': {
      make: async () =>
        aiReranker({ model: { modelId: 'broken', doRerank: () => Promise.reject(new Error('quota')) } }),
      code: 'rerank-failed',
    },
  },
})

it('sends the query and the texts, cut, in one call', async () => {
  const calls: unknown[] = []
  const doRerank: AiRerankingModel['doRerank'] = async ({ query, documents }) => {
    calls.push({ query, documents })
    return { ranking: documents.values.map((_, index) => ({ index, relevanceScore: index })) }
  }
  const reranker = aiReranker({ model: { modelId: 'scripted', doRerank }, maxCharacters: 2, window: 2 })
  await searchWith(reranker, ['long', 'b', 'c'])
  expect(calls).toEqual([{ query: 'which', documents: { type: 'text', values: ['lo', 'b'] } }])
})

it('names wrong options', () => {
  expectError(() => aiReranker({ model: scoring(() => 1), window: 0 }), 'bad-config', /aiReranker: window/)
  expectError(() => aiReranker({ model: 'cohere' as never }), 'bad-config', /aiReranker: model/)
})
