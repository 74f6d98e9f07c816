/** A search whose query vectors and legs are kept: the same search again asks neither the model nor the index. */
import { createOptimizer, type Document, type Embedder, type Optimizer } from 'querent'
import { type CacheStore, cachedEmbedder, cachedRetriever, createCache } from 'querent/cache'
import { buildFaiss } from 'querent/search'

/**
 * @param version of the documents: with another one, the legs of the old are not found any more
 * @param store shared by several processes, such as `await redisStore({ url: 'redis://127.0.0.1:6379' })`
 */
export async function createCachedSearch(
  documents: readonly Document[],
  model: Embedder,
  version: string,
  store?: CacheStore,
): Promise<Optimizer> {
  const vectors = createCache({ store, maxEntries: 10_000 })
  const faiss = await buildFaiss(documents, { embedder: cachedEmbedder(model, vectors, { scope: [] }) })
  const legs = createCache({ store, ttl: 60_000, maxValue: 1_000_000 })
  const retriever = cachedRetriever(faiss, legs, { scope: ['books', version] })
  return createOptimizer({ retrievers: [retriever] })
}
