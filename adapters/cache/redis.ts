/** Redis 7 or Valkey as the store of a cache. A server that cannot be reached never keeps a search waiting. */
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { parseConfig } from '../../src/config.ts'
import { toError } from '../../src/errors.ts'
import { optionalPackage } from '../../src/runtime/optional-package.ts'
import type { CacheStore } from './store.ts'

export interface RedisOptions {
  /** The server: `redis://[user:password@]host:port[/database]`, or `rediss://` for TLS. `valkey://` and `valkeys://` are the same. */
  readonly url: string
  /** Called when the connection is lost, and not again before it is back. Default: nothing is told. */
  readonly onError?: ((error: Error) => void) | undefined
}

export interface RedisStore extends CacheStore {
  /** Ends the connection. */
  close(): Promise<void>
}

const schemes = /^(redis|valkey)(s?):/

const optionsSchema = z.strictObject({
  url: z
    .string()
    .refine((url) => schemes.test(url) && URL.canParse(url), 'must be a URL such as redis://127.0.0.1:6379'),
  onError: z.custom<(error: Error) => void>((value) => typeof value === 'function').optional(),
})

/** Milliseconds to wait for the first connection. Without one, searches begin without the store. */
const patience = 1000

/** Milliseconds: a connection on which nothing has come for so long is dead. It is asked for a sign of life twice in this time. */
const silence = 10_000

/** @throws QuerentError `bad-config` for a wrong option; `missing-package` for `@redis/client` */
export async function redisStore(options: RedisOptions): Promise<RedisStore> {
  const { url, onError } = parseConfig(optionsSchema, options, 'redisStore')
  const { createClient } = await optionalPackage('@redis/client', undefined, () => import('@redis/client'))
  const client = createClient({
    url: url.replace(schemes, 'redis$2:'),
    // While there is no connection, a request fails at once.
    disableOfflineQueue: true,
    pingInterval: silence / 2,
    socket: {
      connectTimeout: patience,
      socketTimeout: silence,
      reconnectStrategy: (tries) => Math.min(100 * 2 ** tries, 5000),
    },
  })
  let isTold = false
  client.on('ready', () => {
    isTold = false
  })
  client.on('error', (error: unknown) => {
    if (!isTold) onError?.(toError(error))
    isTold = true
  })
  const connected = client.connect().catch(() => {})
  await Promise.race([connected, delay(patience, undefined, { ref: false })])

  return {
    get: (key) => client.get(key),
    set: (key, value, { ttl, replace }) => {
      const expiration = { type: 'PX', value: Math.ceil(ttl) } as const
      return replace
        ? client.set(key, value, { expiration })
        : client.set(key, value, { expiration, condition: 'NX', GET: true })
    },
    async close() {
      client.destroy()
    },
  }
}
