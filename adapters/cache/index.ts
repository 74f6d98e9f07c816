/**
 * `querent/cache`: caches that respect the caller, in the process and in Redis or Valkey.
 *
 * @module querent/cache
 */
export { type Cache, type Cached, type CacheOptions, createCache, type Work } from './cache.ts'
export { type CachedChatOptions, cachedChat } from './cached-chat.ts'
export { type CachedEmbedderOptions, cachedEmbedder } from './cached-embedder.ts'
export { type CachedRetrieverOptions, cachedRetriever } from './cached-retriever.ts'
export { type RedisOptions, type RedisStore, redisStore } from './redis.ts'
export { type CacheStore, type Keeping, type MemoryOptions, memoryStore } from './store.ts'
