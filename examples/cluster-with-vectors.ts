/** A retriever of several lists: the words and the vectors of one backend, in one request. */
import type { Hit, Retriever } from 'querent'

interface Backend {
  search(queries: readonly string[], k: number): Promise<{ words: Hit[][]; vectors: Hit[][] }>
}

export function wordsAndVectors(backend: Backend): Retriever {
  return {
    name: 'cluster',
    legs: [
      { name: 'cluster/words', kind: 'lexical' },
      { name: 'cluster/vectors', kind: 'dense' },
    ],
    async retrieve(subQueries, { k }) {
      const texts = subQueries.map(({ text }) => text)
      const { words, vectors } = await backend.search(texts, k)
      return subQueries.flatMap((subQuery, at) => [
        { retriever: 'cluster/words', subQuery, hits: words[at]! },
        { retriever: 'cluster/vectors', subQuery, hits: vectors[at]! },
      ])
    },
  }
}
