/** The cache alone: what it keeps, for how long, for whom, and what it does while its store fails. */
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { type CacheOptions, createCache } from '../../../adapters/cache/cache.ts'
import { type CacheStore, memoryStore } from '../../../adapters/cache/store.ts'
import { expectError } from '../../support/expect-error.ts'
import { manualClock, settled } from '../../support/manual-clock.ts'
import { fakeTime, watch } from '../resilience/backend.ts'

/** Work that makes another value each time, unless it is told one. */
function counting() {
  let made = 0
  return {
    made: () => made,
    work: (key: readonly unknown[], more: object = {}) => ({
      key,
      make: async () => `value ${++made}`,
      write: (value: string) => value,
      read: (text: string) => text,
      ...more,
    }),
  }
}

/** A store that remembers its keys. */
function watched(store: CacheStore = memoryStore()) {
  const keys = new Set<string>()
  const watching: CacheStore = {
    get: (key) => {
      keys.add(key)
      return store.get(key)
    },
    set: (key, value, keeping) => {
      keys.add(key)
      return store.set(key, value, keeping)
    },
  }
  return { keys, store: watching }
}

const down: CacheStore = {
  get: () => Promise.reject(new Error('down')),
  set: () => Promise.reject(new Error('down')),
}

describe('a cache', () => {
  it('keeps a value for equal keys, and says what it had', async () => {
    const { work, made } = counting()
    const cache = createCache()
    expect(await cache.through(work(['a', { b: 1 }]))).toEqual({ value: 'value 1', outcome: 'miss' })
    expect(await cache.through(work(['a', { b: 1 }]))).toEqual({ value: 'value 1', outcome: 'hit' })
    expect(await cache.through(work(['a', { b: 2 }]))).toEqual({ value: 'value 2', outcome: 'miss' })
    expect(made()).toBe(2)
  })

  it('tells long integers apart, and texts that only look like the end of a key', async () => {
    const cache = createCache()
    const { work } = counting()
    const keys = [
      [9007199254740993n],
      [9007199254740992n],
      ['9007199254740992n'],
      ['a","b'],
      ['a', 'b'],
      [['a'], 'b'],
      ['a', ['b']],
    ]
    const values = new Set<string>()
    for (const key of keys) values.add((await cache.through(work(key))).value)
    expect(values.size).toBe(keys.length)
  })

  it('is bounded in number and in time', async () => {
    const clock = manualClock()
    await clock.advance(1)
    const { work } = counting()
    const valueFor = async (key: string) => (await cache.through(work([key]))).value
    const cache = createCache({ maxEntries: 2, ttl: 1000, clock })
    for (const key of ['a', 'b', 'c']) await valueFor(key)
    expect([await valueFor('c'), await valueFor('b'), await valueFor('a')]).toEqual([
      'value 3',
      'value 2',
      'value 4',
    ])
    await clock.advance(1000)
    expect(await valueFor('a')).toBe('value 4')
    await clock.advance(1)
    expect(await valueFor('a')).toBe('value 5')
  })

  it('keeps no value that is too long, and believes none', async () => {
    const { keys, store } = watched()
    const cache = createCache({ store, maxValue: 100 })
    const { work, made } = counting()
    const long = { make: async () => 'x'.repeat(101) }
    for (let times = 0; times < 2; times++) await cache.through(work(['long'], long))
    const [key] = keys
    await store.set(key!, 'y'.repeat(101), { ttl: 1000, replace: true })
    expect((await cache.through(work(['long']))).value).toBe('value 1')
    expect(made()).toBe(1)
  })

  it('does equal work once, however many want it, and leaves failed work out', async () => {
    const cache = createCache()
    const { work, made } = counting()
    const all = await Promise.all(Array.from({ length: 50 }, () => cache.through(work(['a']))))
    expect(new Set(all.map(({ value }) => value))).toEqual(new Set(['value 1']))
    expect(all.filter(({ outcome }) => outcome === 'joined')).toHaveLength(49)
    expect(made()).toBe(1)

    const failing = work(['b'], { make: () => Promise.reject(new Error('no answer')) })
    await expect(cache.through(failing)).rejects.toThrow('no answer')
    expect((await cache.through(work(['b']))).outcome).toBe('miss')
  })

  it('ends work when nobody waits for it any more, and not before', async () => {
    const cache = createCache()
    let ended = false
    let finish: (value: string) => void = () => {}
    const { work } = counting()
    const make = (signal: AbortSignal) =>
      new Promise<string>((resolve, reject) => {
        finish = resolve
        signal.addEventListener('abort', () => {
          ended = true
          reject(signal.reason)
        })
      })
    const [first, second] = [new AbortController(), new AbortController()]
    const one = cache.through(work(['a'], { make, signal: first.signal }))
    const other = cache.through(work(['a'], { make, signal: second.signal }))
    first.abort(new Error('gone'))
    await expect(one).rejects.toThrow('gone')
    expect(ended).toBe(false)
    finish('done')
    expect((await other).value).toBe('done')

    const third = new AbortController()
    const last = cache.through(work(['b'], { make, signal: third.signal }))
    // The lookup comes first.
    await Promise.resolve()
    third.abort(new Error('gone, too'))
    await expect(last).rejects.toThrow('gone, too')
    expect((await cache.through(work(['b']))).value).toBe('value 1')
  })

  it('looks nothing up by what JSON leaves out', async () => {
    const { work, made } = counting()
    await expectError(createCache().through(work([new Map([['user', 'ann']])])), 'bad-config')
    expect(made()).toBe(0)
  })

  it('asks anew where it is told to, and keeps that', async () => {
    const cache = createCache()
    const { work } = counting()
    await cache.through(work(['a']))
    expect(await cache.through(work(['a'], { fresh: true }))).toEqual({ value: 'value 2' })
    expect((await cache.through(work(['a']))).value).toBe('value 2')
  })
})

describe('caches with one store', () => {
  it('agree on one value, even if both make one at the same time', async () => {
    const store = memoryStore()
    const caches = [createCache({ store }), createCache({ store })]
    const { work } = counting()
    for (const key of Array.from({ length: 20 }, (_, place) => [place])) {
      const values = await Promise.all(caches.map((cache) => cache.through(work(key))))
      expect(new Set(values.map(({ value }) => value)).size).toBe(1)
    }
  })

  it('write nothing readable into its keys', async () => {
    const { keys, store } = watched()
    await createCache({ store, prefix: 'mine' }).through(counting().work(['secret', 'words']))
    expect([...keys]).toEqual([expect.stringMatching(/^mine:[\w-]{43}$/)])
  })

  it('take what they cannot read for missing', async () => {
    const { keys, store } = watched()
    const { work } = counting()
    const strict = { read: (text: string) => JSON.parse(text) as string, write: JSON.stringify }
    await createCache({ store }).through(work(['a'], strict))
    const [key] = keys
    await store.set(key!, '{"cut', { ttl: 1000, replace: true })
    expect((await createCache({ store }).through(work(['a'], strict))).outcome).toBe('miss')
  })

  it('cost nothing while it is down: the process keeps its own, and the store gets few requests', async () => {
    const { keys, store } = watched(down)
    const cache = createCache({ store })
    const { work, made } = counting()
    expect(await cache.through(work(['a']))).toEqual({ value: 'value 1', outcome: 'failed' })
    expect(await cache.through(work(['a']))).toEqual({ value: 'value 1', outcome: 'hit' })
    for (let place = 0; place < 100; place++) await cache.through(work([place]))
    expect(made()).toBe(101)
    expect(keys.size).toBeLessThan(20)
  })

  it('ask it a thousand questions at once, and have all answers', async () => {
    const store = memoryStore({ maxEntries: 1000 })
    const { work } = counting()
    for (const outcome of ['miss', 'hit']) {
      const busy: CacheStore = { ...store, get: (key) => settled().then(() => store.get(key)) }
      const cache = createCache({ store: busy, maxEntries: 1, timeout: 30_000 })
      const all = await Promise.all(Array.from({ length: 1000 }, (_, place) => cache.through(work([place]))))
      expect(new Set(all.map((one) => one.outcome))).toEqual(new Set([outcome]))
    }
  })

  it('do not wait for one that hangs', async () => {
    const hanging: CacheStore = { get: () => new Promise(() => {}), set: () => new Promise(() => {}) }
    const cache = createCache({ store: hanging, timeout: 1 })
    expect(await cache.through(counting().work(['a']))).toEqual({ value: 'value 1', outcome: 'failed' })
  })
})

/** A store of this process that answers after so many milliseconds. */
function slow({ get = 0, set = 0 }: { readonly get?: number; readonly set?: number }) {
  const store = memoryStore()
  const after = (ms: number) =>
    new Promise((resolve) => ms < Number.POSITIVE_INFINITY && setTimeout(resolve, ms))
  const slowly: CacheStore = {
    get: (key) => after(get).then(() => store.get(key)),
    set: (key, value, keeping) => after(set).then(() => store.set(key, value, keeping)),
  }
  return { store: slowly, kept: store }
}

const never = Number.POSITIVE_INFINITY

describe('a caller', () => {
  fakeTime()

  /** When it has a value of a cache with this store. */
  async function timeWith(store: CacheStore): Promise<number | 'pending'> {
    const watched = watch(createCache({ store }).through(counting().work(['a'])))
    await vi.runAllTimersAsync()
    return watched.settled.at
  }

  it.each([
    ['looks up and keeps', { get: never, set: never }],
    ['keeps', { set: never }],
    ['keeps, after a slow lookup', { get: 100, set: never }],
  ])('waits no longer than the timeout in all for a store that hangs when it %s', async (_, times) => {
    expect(await timeWith(slow(times).store)).toBe(250)
  })

  it('waits for a store that answers in time', async () => {
    expect(await timeWith(slow({ get: 100, set: 100 }).store)).toBe(200)
  })

  it('who gives up while the store hangs leaves the value to the next', async () => {
    const cache = createCache({ store: slow({ set: never }).store })
    const { work, made } = counting()
    const gone = new AbortController()
    const first = watch(cache.through(work(['a'], { signal: gone.signal })))
    await vi.advanceTimersByTimeAsync(100)
    expect(made()).toBe(1)
    gone.abort(new Error('gone'))
    const next = watch(cache.through(work(['a'])))
    await vi.runAllTimersAsync()
    expect(first.settled.error).toEqual(new Error('gone'))
    expect(next.settled.value).toEqual({ value: 'value 1', outcome: 'hit' })
  })

  it('has the value of another process from when a slow store tells of it', async () => {
    const { store, kept } = slow({ get: 100, set: 200 })
    const { keys, store: watching } = watched(store)
    const cache = createCache({ store: watching })
    const { work } = counting()
    const first = watch(cache.through(work(['a'])))
    await vi.advanceTimersByTimeAsync(100)
    await kept.set([...keys][0]!, 'of another', { ttl: 60_000, replace: true })
    await vi.runAllTimersAsync()
    expect(first.settled).toEqual({ value: { value: 'value 1', outcome: 'miss' }, at: 250 })
    store.get = () => Promise.reject(new Error('down'))
    expect(await cache.through(work(['a']))).toEqual({ value: 'of another', outcome: 'hit' })
  })

  it('keeps a newer value where a slow store tells of an older one', async () => {
    const { store, kept } = slow({ get: 100, set: 200 })
    const { keys, store: watching } = watched(store)
    const cache = createCache({ store: watching })
    const { work } = counting()
    void cache.through(work(['a']))
    await vi.advanceTimersByTimeAsync(100)
    await kept.set([...keys][0]!, 'of another', { ttl: 60_000, replace: true })
    store.set = () => Promise.reject(new Error('down'))
    expect(await cache.through(work(['a'], { fresh: true }))).toEqual({ value: 'value 2' })
    await vi.runAllTimersAsync()
    store.get = store.set as CacheStore['get']
    expect((await cache.through(work(['a']))).value).toBe('value 2')
  })
})

it('nobody gets what was made for another, on whatever path', async () => {
  const who = fc.record({
    identity: fc.constantFrom('a', 'b', 'a"', ''),
    filter: fc.constantFrom(undefined, { tenant: 1 }, { tenant: '1' }),
    index: fc.constantFrom('one', 'two'),
  })
  const asked = fc.record({
    who,
    cache: fc.nat(2),
    fresh: fc.boolean(),
    together: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(asked, { maxLength: 40 }), fc.boolean(), async (all, isDown) => {
      const store = memoryStore({ maxEntries: 3 })
      const flaky: CacheStore = isDown ? { ...store, set: down.set } : store
      const caches = [createCache({ store: flaky }), createCache({ store: flaky }), createCache()]
      const pending: Promise<void>[] = []
      for (const { who, cache, fresh, together } of all) {
        const own = JSON.stringify(who)
        const got = caches[cache]!.through({
          key: ['chat', [who.identity, who.filter, who.index], 'the same question'],
          make: async () => own,
          write: (value) => value,
          read: (text) => text,
          fresh,
        }).then(({ value }) => expect(value).toBe(own))
        pending.push(got)
        if (!together) await got
      }
      await Promise.all(pending)
    }),
  )
})

it.each<readonly [CacheOptions, string]>([
  [{ ttl: -1 }, 'ttl'],
  [{ maxEntries: 0 }, 'maxEntries'],
  [{ store: {} as CacheStore }, 'store'],
])('says which option is wrong: %j', (options, named) => {
  expectError(() => createCache(options), 'bad-config', named)
})
