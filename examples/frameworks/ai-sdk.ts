/** Search as a tool of the AI SDK, and re-ranking by a model of one of its providers. */
import { generateText, type LanguageModel, type RerankingModel, stepCountIs } from 'ai'
import { createOptimizer, type Optimizer, type Retriever } from 'querent'
import { aiReranker, searchTool } from 'querent/ai'

export async function askWithSearch(optimizer: Optimizer, model: LanguageModel, prompt: string) {
  const search = searchTool({ optimizer, about: 'novels and their authors' })
  const { text } = await generateText({ model, prompt, tools: { search }, stopWhen: stepCountIs(5) })
  return text
}

export function withRerankingModel(
  retrievers: readonly Retriever[],
  model: Exclude<RerankingModel, string>,
): Optimizer {
  return createOptimizer({ retrievers, rerank: aiReranker({ model }) })
}
