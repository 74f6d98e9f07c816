/** Elasticsearch's client with a language model whose decisions are kept for each caller. */
import { Client } from '@elastic/elasticsearch'
import type { ChatModel } from 'querent'
import { type CacheStore, createCache } from 'querent/cache'
import { querent } from 'querent/elasticsearch'

/** @param store shared by several processes, such as `await redisStore({ url: 'redis://127.0.0.1:6379' })` */
export function createCachedClient(node: string, chat: ChatModel, store?: CacheStore): Client {
  const cache = createCache({ store })
  return querent(new Client({ node }), { policy: 'agentic', chat, cache })
}
