/** Generated collections: benchmarks need text that grows at will and is the same on every machine. */
import { buildWinkBm25 } from '../adapters/search/wink-bm25.ts'
import type { Random } from '../src/learn/random.ts'
import type { Document, Embedder, Retriever } from '../src/types.ts'

export const wordsPerDocument = 100
export const wordsPerQuery = 8

export type Words = (count: number) => string

/** So many documents, each with the next text. */
export function* documents(count: number, text: () => string): Generator<Document> {
  for (let position = 0; position < count; position++) yield { docid: `d${position}`, text: text() }
}

/** A function that draws words, the n-th most frequent in proportion to 1/n, of some 100,000. */
export function zipfianWords(random: Random): Words {
  const word = () => `w${Math.floor(100_000 ** random.float())}`
  return (count) => Array.from({ length: count }, word).join(' ')
}

/** BM25 over so many documents of the usual length. */
export const generatedBm25 = (
  size: number,
  words: Words,
  options: Parameters<typeof buildWinkBm25>[1] = {},
): Promise<Retriever> =>
  buildWinkBm25(
    documents(size, () => words(wordsPerDocument)),
    options,
  )

const dimensions = 384

/** Random directions: a query is not nearer to some documents than to others. That is the hardest there is for HNSW. */
export function randomEmbedder(random: Random): Embedder & { spent(): number } {
  let spent = 0
  const vector = (): Float32Array => {
    const values = Float32Array.from({ length: dimensions }, () => random.float() - 0.5)
    const length = Math.hypot(...values)
    return values.map((one) => one / length)
  }
  return {
    name: 'random',
    dimensions,
    /** Milliseconds, so that they can be left out. */
    spent: () => spent,
    async embed(texts) {
      const start = performance.now()
      const vectors = texts.map(vector)
      spent += performance.now() - start
      return vectors
    },
  }
}
