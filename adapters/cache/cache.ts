/**
 * A cache in front of what takes long. Equal work that is under way is done once. A store that is down or slow costs at most a
 * short deadline, and nothing while its breaker is open: the process then has its own entries.
 */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { count, having, milliseconds, parseConfig } from '../../src/config.ts'
import { type Clock, systemClock } from '../../src/runtime/clock.ts'
import { createFlights } from '../../src/runtime/flights.ts'
import type { CacheOutcome } from '../../src/types.ts'
import { createResilience } from '../resilience/resilience.ts'
import { type CacheStore, memoryStore } from './store.ts'

export interface CacheOptions {
  /** The store that several processes share, such as `redisStore`. Default: none, the process has its own entries only. */
  readonly store?: CacheStore | undefined
  /** Milliseconds for which an entry is kept. Default: 300,000 (5 minutes). */
  readonly ttl?: number | undefined
  /** Maximum number of entries in the process. Default: 1000. */
  readonly maxEntries?: number | undefined
  /** Maximum length of a value in characters. Longer ones are not kept. Default: 65,536. */
  readonly maxValue?: number | undefined
  /** Milliseconds for one request to the store. Default: 250. */
  readonly timeout?: number | undefined
  /** Begins every key, so that others can use the same store. Default: `querent`. */
  readonly prefix?: string | undefined
  /** Clock of the entries in the process, for tests. Default: the system clock. */
  readonly clock?: Clock | undefined
}

/** How values are written and read. */
export interface Work<T> {
  /** What the entry depends on: the caller and all that the result could depend on. JSON; long integers may be in it. */
  readonly key: readonly unknown[]
  readonly make: (signal: AbortSignal) => Promise<T>
  /** `undefined` for a value that must not be kept. */
  readonly write: (value: T) => string | undefined
  /** `undefined` or an exception for what cannot be read: it then counts as missing. */
  readonly read: (text: string) => T | undefined
  /** Ends the wait. The work ends when nobody waits for it any more. */
  readonly signal?: AbortSignal | undefined
  /** Whether entries are left aside and the result replaces them. Default: false. */
  readonly fresh?: boolean | undefined
}

export interface Cached<T> {
  readonly value: T
  /** Absent where nothing was looked up. */
  readonly outcome?: CacheOutcome
}

export interface Cache {
  /** The kept value, or a new one. Rejects with the work's own error, or with the signal's reason; never because of the store. */
  through<T>(work: Work<T>): Promise<Cached<T>>
}

const optionsSchema = z.strictObject({
  store: having<CacheStore>('a store', 'get', 'set').optional(),
  ttl: milliseconds.default(300_000),
  maxEntries: count.default(1000),
  maxValue: count.default(65_536),
  timeout: milliseconds.default(250),
  prefix: z.string().default('querent'),
  clock: having<Clock>('a clock', 'now', 'after').default(systemClock),
})

/** A store that fails this often in ten requests gets none for five seconds, then one. */
const breaker = { ratio: 0.4, attempts: 10, halfOpenAfter: 5000 }

/** @throws QuerentError `bad-config` that names the wrong option */
export function createCache(options: CacheOptions = {}): Cache {
  const { store, ttl, maxEntries, maxValue, timeout, prefix, clock } = parseConfig(
    optionsSchema,
    options,
    'Cache',
  )
  const own = memoryStore({ maxEntries, clock })
  const limits = createResilience({ name: 'The cache', timeout, retries: 0, queue: 0, breaker })
  const flights = createFlights<Cached<unknown>>()

  /** Asks the shared store; `failed` if it has no answer in time. */
  async function shared<T>(ask: (store: CacheStore) => Promise<T>): Promise<T | 'failed' | undefined> {
    if (store === undefined) return undefined
    try {
      return await limits.run(() => ask(store).catch(failed))
    } catch {
      return 'failed'
    }
  }

  async function find<T>(key: string, read: Work<T>['read']): Promise<Cached<T | undefined>> {
    const kept = await shared((store) => store.get(key).then((text) => ({ text })))
    const texts = [typeof kept === 'object' ? kept.text : undefined, await own.get(key)]
    for (const text of texts) {
      const value = readable(text, read, maxValue)
      if (value !== undefined) return { value, outcome: 'hit' }
    }
    return { value: undefined, outcome: kept === 'failed' ? 'failed' : 'miss' }
  }

  /** Keeps a value. Returns the value of another process that was faster. */
  async function keep<T>(key: string, value: T, { write, read, fresh = false }: Work<T>): Promise<T> {
    const text = write(value)
    if (text === undefined || text.length > maxValue) return value
    const kept = await shared((store) =>
      store.set(key, text, { ttl, replace: fresh }).then((before) => ({ before })),
    )
    const before = typeof kept === 'object' && !fresh ? kept.before : undefined
    const other = readable(before, read, maxValue)
    await own.set(key, other === undefined ? text : before!, { ttl, replace: true })
    return other ?? value
  }

  return {
    async through<T>(work: Work<T>): Promise<Cached<T>> {
      const key = `${prefix}:${digestOf(work.key)}`
      const { fresh = false, signal } = work
      const { value, isJoined } = await flights.join(
        key,
        async (until): Promise<Cached<unknown>> => {
          const found = fresh ? { value: undefined } : await find(key, work.read)
          if (found.value !== undefined) return found
          until.throwIfAborted()
          return { ...found, value: await keep(key, await work.make(until), work) }
        },
        { signal, fresh },
      )
      const cached = value as Cached<T>
      return isJoined && cached.outcome !== 'hit' ? { ...cached, outcome: 'joined' } : cached
    },
  }
}

/** Whatever a store fails with counts against it, as a lost connection does. */
function failed(cause: unknown): never {
  throw Object.assign(new Error('The store failed', { cause }), { code: 'ECONNABORTED' })
}

/** Hashed: what a key is made of may be long, and must not be read in a store. */
const digestOf = (parts: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts, withLongNumbers)).digest('base64url')

/** Clients may use numbers that JSON.stringify cannot write. */
const withLongNumbers = (_key: string, value: unknown): unknown =>
  typeof value === 'bigint' ? `${value}n` : value

/** What others wrote into a store is not trusted to be what it should be. */
function readable<T>(
  text: string | null | undefined,
  read: (text: string) => T | undefined,
  maxValue: number,
): T | undefined {
  if (typeof text !== 'string' || text.length > maxValue) return undefined
  try {
    return read(text)
  } catch {
    return undefined
  }
}
