/** Three re-rankers from outside. */
import { type ChatModel, createOptimizer, type Optimizer, type Retriever } from 'querent'
import { httpReranker } from 'querent/rerank/http'
import { llmReranker } from 'querent/rerank/llm'
import { onnxReranker } from 'querent/rerank/onnx'

export function withServer(retrievers: readonly Retriever[], url: string): Optimizer {
  const rerank = httpReranker({ url, model: 'jina-reranker-v2-base-multilingual' })
  return createOptimizer({ retrievers, rerank })
}

export async function withCrossEncoder(retrievers: readonly Retriever[], model: string): Promise<Optimizer> {
  const rerank = await onnxReranker({ model, timeout: 2000 })
  return createOptimizer({ retrievers, rerank })
}

export function withLanguageModel(retrievers: readonly Retriever[], chat: ChatModel): Optimizer {
  const rerank = llmReranker({ chat, window: 20, timeout: 4000 })
  return createOptimizer({ retrievers, rerank, budget: { timeout: 8000 } })
}
