/**
 * A cache in front of what takes long. Equal work that is under way is done once. A store that is down or slow costs at most a
 * short deadline, and nothing while its breaker is open: the process then has its own entries.
 */
import { z } from 'zod'
import { count, having, milliseconds, parseConfig } from '../../src/config.ts'
import { type Clock, systemClock } from '../../src/runtime/clock.ts'
import { createFlights } from '../../src/runtime/flights.ts'
import type { CacheOutcome } from '../../src/types.ts'
import { allowance, type WaitFor } from './allowance.ts'
import { digestOf } from './key.ts'
import { sharedStore } from './shared-store.ts'
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
  /** Most milliseconds that a caller waits for the store, to look up and to keep together. Default: 250. */
  readonly timeout?: number | undefined
  /** Begins every key, so that others can use the same store. Default: `querent`. */
  readonly prefix?: string | undefined
  /** Clock of the entries in the process, for tests. Default: the system clock. */
  readonly clock?: Clock | undefined
}

/** How values are written and read. */
export interface Work<T> {
  /**
   * What the entry depends on: the caller and all that the result could depend on. JSON; dates and long integers may be in it. What
   * JSON leaves out is refused.
   */
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
  /**
   * The kept value, or a new one. Rejects with the work's own error, or with the signal's reason; never because of the store.
   *
   * @throws QuerentError `bad-config` for a key with something that JSON leaves out
   */
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

/** @throws QuerentError `bad-config` that names the wrong option */
export function createCache(options: CacheOptions = {}): Cache {
  const { store, ttl, maxEntries, maxValue, timeout, prefix, clock } = parseConfig(
    optionsSchema,
    options,
    'Cache',
  )
  const own = memoryStore({ maxEntries, clock })
  const ask = store && sharedStore(store, timeout)
  const flights = createFlights<Cached<unknown>>()

  async function find<T>(
    key: string,
    read: Work<T>['read'],
    waitFor: WaitFor,
  ): Promise<Cached<T | undefined>> {
    const asked = ask?.((shared) => shared.get(key).then((text) => ({ text })))
    const kept = asked && (await waitFor(asked, 'failed'))
    const texts = [typeof kept === 'object' ? kept.text : undefined, await own.get(key)]
    for (const text of texts) {
      const value = readable(text, read, maxValue)
      if (value !== undefined) return { value, outcome: 'hit' }
    }
    return { value: undefined, outcome: kept === 'failed' ? 'failed' : 'miss' }
  }

  /**
   * Keeps a value, first in the process, where a store that hangs does not matter. Only the store knows whether another process was
   * faster: then its value is returned. A store that takes too long for that is told while nobody waits.
   */
  async function keep<T>(key: string, value: T, work: Work<T>, waitFor: WaitFor): Promise<T> {
    const { write, read, fresh = false } = work
    const text = write(value)
    if (text === undefined || text.length > maxValue) return value
    await own.set(key, text, { ttl, replace: true })

    async function agreed(before: string | null | undefined): Promise<T> {
      const other = fresh ? undefined : readable(before, read, maxValue)
      if (other === undefined) return value
      // A late answer must not replace what came since.
      if ((await own.get(key)) === text) await own.set(key, before!, { ttl, replace: true })
      return other
    }

    const told = ask?.((shared) =>
      shared.set(key, text, { ttl, replace: fresh }).then((before) => ({ before })),
    )
    if (told === undefined) return value
    return waitFor(
      told.then((answer) => agreed(answer === 'failed' ? undefined : answer.before)),
      value,
    )
  }

  return {
    async through<T>(work: Work<T>): Promise<Cached<T>> {
      const key = `${prefix}:${digestOf(work.key)}`
      const { fresh = false, signal } = work
      const waitFor = allowance(systemClock, timeout)
      const { value, isJoined } = await flights.join(
        key,
        async (until): Promise<Cached<unknown>> => {
          const found = fresh ? { value: undefined } : await find(key, work.read, waitFor)
          if (found.value !== undefined) return found
          until.throwIfAborted()
          return { ...found, value: await keep(key, await work.make(until), work, waitFor) }
        },
        { signal, fresh },
      )
      const cached = value as Cached<T>
      return isJoined && cached.outcome !== 'hit' ? { ...cached, outcome: 'joined' } : cached
    },
  }
}

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
