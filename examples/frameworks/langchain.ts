/** An optimizer as a retriever of LangChain.js. */
import type { Optimizer } from 'querent'
import { langchainRetriever } from 'querent/langchain'

export async function textsFor(optimizer: Optimizer, question: string): Promise<string[]> {
  const retriever = await langchainRetriever({ optimizer, k: 5 })
  const passages = await retriever.invoke(question)
  return passages.map(({ id, pageContent }) => `[${id}] ${pageContent}`)
}
