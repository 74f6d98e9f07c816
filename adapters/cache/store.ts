/** Where a cache keeps its entries: in the process, or wherever a client of your own keeps them. */
import { LRUCache } from 'lru-cache'
import { type Clock, systemClock } from '../../src/runtime/clock.ts'

export interface Keeping {
  /** Milliseconds after which the entry ends. */
  readonly ttl: number
  /** Whether a value that is there already is replaced. If not, it stays, and `set` returns it. */
  readonly replace: boolean
}

/** Two methods, so that any client of any store fits. Keys and values are strings, and keys are hashed. */
export interface CacheStore {
  get(key: string): Promise<string | null | undefined>
  /**
   * Keeps a value. Several processes agree on one value only if this is one atomic step in their store, such as `SET … NX GET` of
   * Redis.
   *
   * @returns the value that was there and stays; nothing if this one is kept
   */
  set(key: string, value: string, keeping: Keeping): Promise<string | null | undefined>
}

export interface MemoryOptions {
  /** Maximum number of entries. Those that were not read for the longest time go first. Default: 1000. */
  readonly maxEntries?: number | undefined
  /** Clock, for tests. Default: the system clock. */
  readonly clock?: Clock | undefined
}

/** A store in the process. */
export function memoryStore({ maxEntries = 1000, clock = systemClock }: MemoryOptions = {}): CacheStore {
  const entries = new LRUCache<string, string>({ max: maxEntries, ttlResolution: 0, perf: clock })
  return {
    get: async (key) => entries.get(key),
    async set(key, value, { ttl, replace }) {
      const before = replace ? undefined : entries.get(key)
      if (before === undefined) entries.set(key, value, { ttl })
      return before
    },
  }
}
