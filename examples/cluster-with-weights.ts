/** Searches a cluster by words and by learned sparse weights, which a server of Hugging Face's Text Embeddings Inference computes. */
import type { SparseEncoder } from 'querent'
import { elasticsearch } from 'querent/search'

/** The words of this encoder are the numbers of tokens. So they must be in the index. */
function teiEncoder(server: string): SparseEncoder {
  return {
    name: 'tei',
    async encode(texts, { signal }) {
      const response = await fetch(`${server}/embed_sparse`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ inputs: texts, truncate: true }),
        signal: signal ?? null,
      })
      if (!response.ok) throw new Error(`The encoder answered with status ${response.status}`)
      const found = (await response.json()) as { index: number; value: number }[][]
      return found.map((weights) => new Map(weights.map(({ index, value }) => [String(index), value])))
    },
  }
}

export async function createWeighedSearch(url: string, server: string) {
  const encoder = teiEncoder(server)
  const retriever = await elasticsearch({
    url,
    index: 'articles',
    fields: ['title^2', 'text'],
    sparse: { field: 'weights', encoder },
  })
  return retriever
}
