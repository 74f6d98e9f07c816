/** The store that several processes share, behind limits: one that is down or slow fails soon, and then gets few requests. */
import { createResilience } from '../resilience/resilience.ts'
import type { CacheStore } from './store.ts'

/** Asks the store. Never rejects: `failed` if it has no answer in time. */
export type AskStore = <T>(ask: (store: CacheStore) => Promise<T>) => Promise<T | 'failed'>

/** A store that fails this often in ten requests gets none for five seconds, then one. */
const breaker = { ratio: 0.4, attempts: 10, halfOpenAfter: 5000 }

/**
 * Requests at once. A store takes thousands on one connection, so this is only how many may hang; one that never ends keeps its
 * place. There is no queue: behind requests that hang, it would cost every caller its time.
 */
const concurrency = 5000

/** @param timeout milliseconds for one request */
export function sharedStore(store: CacheStore, timeout: number): AskStore {
  const limits = createResilience({ name: 'The cache', timeout, retries: 0, concurrency, queue: 0, breaker })
  return async (ask) => {
    try {
      return await limits.run(() => ask(store).catch(failed))
    } catch {
      return 'failed'
    }
  }
}

/** Whatever a store fails with counts against it, as a lost connection does. */
function failed(cause: unknown): never {
  throw Object.assign(new Error('The store failed', { cause }), { code: 'ECONNABORTED' })
}
