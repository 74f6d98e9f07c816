/** The cache that `--set cache` names. */
import { type Cache, createCache } from '../../../adapters/cache/cache.ts'
import { say, type Terminal } from '../output/terminal.ts'

interface OpenedCache {
  readonly cache: Cache | undefined
  close(): Promise<void>
}

interface CacheSettings {
  readonly cache?: string | undefined
  readonly cacheTimeout?: number | undefined
}

const noCache: OpenedCache = { cache: undefined, async close() {} }

/**
 * @param options.cache `memory`, the URL of a Redis or Valkey server, or `undefined` for none
 * @throws QuerentError `missing-package` for `@redis/client`
 */
export async function openCache(
  { cache: place, cacheTimeout: timeout }: CacheSettings,
  terminal: Terminal,
): Promise<OpenedCache> {
  if (place === undefined) return noCache
  if (place === 'memory') return { ...noCache, cache: createCache() }
  const { redisStore } = await import('../../../adapters/cache/redis.ts')
  const store = await redisStore({
    url: place,
    onError: ({ message }) =>
      say(terminal, `The cache cannot be reached, so each process keeps its own entries: ${message}`),
  })
  return { cache: createCache({ store, timeout }), close: () => store.close() }
}
