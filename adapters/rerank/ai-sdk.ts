/**
 * Re-ranking by a model of the AI SDK: Cohere, Amazon Bedrock, Together AI and other providers. The package `ai` is not needed.
 *
 *     aiReranker({ model: cohere.reranking('rerank-v3.5') })
 */
import { z } from 'zod'
import { count, having, parseConfig } from '../../src/config.ts'
import { QuerentError, toError } from '../../src/errors.ts'
import type { Reranker } from '../../src/reranker.ts'
import { pointwise } from './pointwise.ts'
import { scoresOf } from './rerank-answer.ts'

/** What is used of a re-ranking model of the AI SDK (its `RerankingModelV3` and later). */
export interface AiRerankingModel {
  readonly modelId: string
  doRerank(options: {
    readonly documents: { readonly type: 'text'; readonly values: string[] }
    readonly query: string
    readonly abortSignal?: AbortSignal
  }): PromiseLike<{
    readonly ranking: readonly { readonly index: number; readonly relevanceScore: number }[]
  }>
}

export interface AiRerankerOptions {
  /** The re-ranking model of a provider. */
  readonly model: AiRerankingModel
  /** How many of the fused hits are re-ranked, 1,000 at most. The others follow in fused order. Default: 50. */
  readonly window?: number | undefined
  /** Characters of a document that are sent. Default: 4,000. */
  readonly maxCharacters?: number | undefined
  /** Milliseconds for the answer. Default: 3,000. */
  readonly timeout?: number | undefined
}

const optionsSchema = z.strictObject({
  model: having<AiRerankingModel>('a re-ranking model of the AI SDK', 'doRerank'),
  window: count.max(1000).default(50),
  maxCharacters: count.default(4000),
  timeout: z.number().positive().default(3000),
})

const answerSchema = z.object({
  ranking: z.array(z.object({ index: z.int(), relevanceScore: z.number() })),
})

/**
 * Makes a re-ranker. If a search cannot be re-ranked (the model fails, is late, or does not score each document once with a
 * finite number), it keeps the fused order.
 *
 * @throws QuerentError `bad-config` that names every wrong option
 */
export function aiReranker(options: AiRerankerOptions): Reranker {
  const { model, ...settings } = parseConfig(optionsSchema, options, 'aiReranker')
  const what = `Re-ranker "${model.modelId}"`
  return pointwise({
    what,
    waits: true,
    ...settings,
    async score(query, texts, abortSignal) {
      const documents = { type: 'text' as const, values: [...texts] }
      try {
        const { ranking } = answerSchema.parse(await model.doRerank({ documents, query, abortSignal }))
        const results = ranking.map(({ index, relevanceScore }) => ({ index, score: relevanceScore }))
        return scoresOf(results, texts.length, what)
      } catch (thrown) {
        if (thrown instanceof QuerentError) throw thrown
        throw new QuerentError('rerank-failed', `${what} failed: ${toError(thrown).message}`, {
          cause: thrown,
        })
      }
    },
  })
}
