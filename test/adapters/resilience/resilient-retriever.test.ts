import { describe, expect, it, vi } from 'vitest'
import { createResilience } from '../../../adapters/resilience/resilience.ts'
import { resilient } from '../../../adapters/resilience/resilient-retriever.ts'
import { buildWinkBm25 } from '../../../adapters/search/wink-bm25.ts'
import { fanOut } from '../../../src/fan-out.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import type { Leg, RetrieveOptions, Retriever, SubQuery } from '../../../src/types.ts'
import { expectError } from '../../support/expect-error.ts'
import { hits } from '../../support/scripted.ts'
import { testRetriever } from '../search/conformance.ts'
import { fakeTime, statusError, watch } from './backend.ts'

testRetriever({
  name: 'resilient bm25',
  create: async (documents, options) => resilient(await buildWinkBm25(documents, options)),
})

testRetriever({
  name: 'resilient bm25 without breaker',
  create: async (documents, options) =>
    resilient(await buildWinkBm25(documents, options), { breaker: false, concurrency: 2 }),
})

/** A leg's docids or its error. `undefined`: the leg is left out. */
type Found = readonly string[] | Error | undefined
/** Leg name → the result of each request for a text. */
type Script = Readonly<Record<string, (text: string, batch: number) => Found>>

interface Cluster extends Retriever {
  readonly batches: { readonly texts: readonly string[]; readonly options: RetrieveOptions }[]
}

function cluster(script: Script, rejects: (batch: number) => Error | undefined = () => undefined): Cluster {
  const batches: Cluster['batches'] = []
  const names = Object.keys(script)
  return {
    name: 'cluster',
    legs: names.map((name) => ({ name })),
    batches,
    async retrieve(subQueries, options) {
      const batch = batches.push({ texts: subQueries.map(({ text }) => text), options })
      const rejection = rejects(batch)
      if (rejection !== undefined) throw rejection
      return subQueries.flatMap((subQuery) =>
        names.flatMap((retriever): Leg[] => {
          const found = script[retriever]!(subQuery.text, batch)
          if (found === undefined) return []
          return [
            found instanceof Error
              ? { retriever, subQuery, error: found }
              : { retriever, subQuery, hits: hits(...found) },
          ]
        }),
      )
    },
  }
}

const busy = statusError(429)
const refused = statusError(400)
const subQueries = (...texts: string[]): SubQuery[] => texts.map((text) => ({ text, round: 1 }))
const shown = (legs: readonly Leg[] = []) =>
  legs.map(({ retriever, subQuery, hits, error }) => [
    `${retriever} ${subQuery.text}`,
    error ?? hits?.map(({ docid }) => docid).join(' '),
  ])

async function retrieve(
  retriever: Retriever,
  texts: readonly string[],
  options: Partial<RetrieveOptions> = {},
) {
  const { settled } = watchAll(retriever.retrieve(subQueries(...texts), { k: 10, ...options }))
  await vi.runAllTimersAsync()
  return settled()
}
const watchAll = (promise: Promise<readonly Leg[]>) => {
  const watched = watch(promise)
  return { settled: () => watched.settled }
}

describe('a resilient retriever', () => {
  fakeTime()

  it('has the name, the legs and the close of the retriever', async () => {
    const close = vi.fn(async () => {})
    const inner = { ...cluster({ words: () => [], vectors: () => [] }), close }
    const outer = resilient(inner)
    expect(outer).toMatchObject({ name: 'cluster', legs: [{ name: 'words' }, { name: 'vectors' }] })
    await outer.close?.()
    expect(close).toHaveBeenCalledOnce()
    const plain: Retriever = { name: 'plain', retrieve: async () => [] }
    expect(Object.keys(resilient(plain))).toEqual(['name', 'resilience', 'retrieve'])
  })

  it('calls close as a method of the retriever', async () => {
    class Closing implements Retriever {
      readonly name = 'closing'
      closed = false
      async retrieve() {
        return []
      }
      async close() {
        this.closed = true
      }
    }
    const inner = new Closing()
    await resilient(inner).close?.()
    expect(inner.closed).toBe(true)
  })

  it('passes on k and filter, with the timeout of the attempt', async () => {
    const inner = cluster({ words: () => [] })
    await retrieve(resilient(inner), ['a'], { k: 7, filter: { tenant: 'x' }, timeout: 1500 })
    await retrieve(resilient(inner), ['a'])
    expect(inner.batches[0]!.options).toMatchObject({ k: 7, filter: { tenant: 'x' }, timeout: 1500 })
    expect(inner.batches[1]!.options.timeout).toBe(2000)
  })

  it('sends a rejected batch again, whole', async () => {
    const inner = cluster({ words: (text) => [text] }, (batch) => (batch === 1 ? busy : undefined))
    const { value } = await retrieve(resilient(inner), ['a', 'b'])
    expect(shown(value)).toEqual([
      ['words a', 'a'],
      ['words b', 'b'],
    ])
    expect(inner.batches.map(({ texts }) => texts)).toEqual([
      ['a', 'b'],
      ['a', 'b'],
    ])
  })

  it("rejects with the backend's last error if every batch was rejected", async () => {
    const inner = cluster({ words: () => [] }, () => busy)
    expect((await retrieve(resilient(inner), ['a'])).error).toBe(busy)
    expect(inner.batches).toHaveLength(3)
  })

  it('retries only what failed and may pass, and returns legs in the order of the sub-queries', async () => {
    const inner = cluster({
      words: (text, batch) =>
        text === 'b' && batch === 1 ? busy : text === 'c' ? refused : [`${text}${batch}`],
    })
    const { value } = await retrieve(resilient(inner), ['a', 'b', 'c', 'd'])
    expect(shown(value)).toEqual([
      ['words a', 'a1'],
      ['words b', 'b2'],
      ['words c', refused],
      ['words d', 'd1'],
    ])
    expect(inner.batches.map(({ texts }) => texts)).toEqual([['a', 'b', 'c', 'd'], ['b']])
  })

  it('keeps the successful leg of a sub-query whose other leg failed', async () => {
    const inner = cluster({
      words: (text, batch) => (batch > 1 ? busy : [text]),
      vectors: (text, batch) => (text === 'b' && batch < 3 ? statusError(503) : [`${text}${batch}`]),
    })
    const { value } = await retrieve(resilient(inner), ['a', 'b'])
    expect(shown(value)).toEqual([
      ['words a', 'a'],
      ['vectors a', 'a1'],
      ['words b', 'b'],
      ['vectors b', 'b3'],
    ])
  })

  it('returns all legs of a sub-query that failed under one name and came back under several', async () => {
    const inner: Retriever = {
      name: 'cluster',
      async retrieve(subQueries) {
        return subQueries.flatMap((subQuery): Leg[] =>
          subQuery.text === 'b' && subQueries.length > 1
            ? [{ retriever: 'cluster', subQuery, error: busy }]
            : ['words', 'vectors'].map((retriever) => ({ retriever, subQuery, hits: hits(subQuery.text) })),
        )
      },
    }
    const { value } = await retrieve(resilient(inner), ['a', 'b', 'c'])
    expect(shown(value).map(([leg]) => leg)).toEqual(
      ['a', 'b', 'c'].flatMap((text) => [`words ${text}`, `vectors ${text}`]),
    )
  })

  it('distinguishes sub-queries with the same text', async () => {
    let asked = 0
    const inner = cluster({ words: () => (asked++ === 1 ? busy : [String(asked)]) })
    const { value } = await retrieve(resilient(inner), ['a', 'a', 'b', 'a'])
    expect(shown(value)).toEqual([
      ['words a', '1'],
      ['words a', '6'],
      ['words b', '3'],
      ['words a', '4'],
    ])
  })

  it('returns legs that fail every time with their last errors', async () => {
    const last = statusError(503)
    const inner = cluster({ words: (text, batch) => (text === 'a' ? ['x'] : batch === 3 ? last : busy) })
    const { value } = await retrieve(resilient(inner), ['a', 'b'])
    expect(shown(value)).toEqual([
      ['words a', 'x'],
      ['words b', last],
    ])
    const none = cluster({ words: () => busy })
    expect(shown((await retrieve(resilient(none), ['a', 'b'])).value)).toEqual([
      ['words a', busy],
      ['words b', busy],
    ])
    expect(none.batches).toHaveLength(3)
  })

  it('returns the successful legs if the retry is rejected, or leaves out the sub-query', async () => {
    const script: Script = {
      words: (text, batch) => (text === 'b' ? (batch === 1 ? busy : undefined) : ['x']),
    }
    for (const inner of [cluster(script, (batch) => (batch > 1 ? refused : undefined)), cluster(script)]) {
      expect(shown((await retrieve(resilient(inner), ['a', 'b'])).value)).toEqual([
        ['words a', 'x'],
        ['words b', busy],
      ])
    }
  })

  it('waits for the retry-after of a failed leg', async () => {
    const later = statusError(429, { 'retry-after': '1' })
    const inner = cluster({ words: (text, batch) => (text === 'b' && batch === 1 ? later : [text]) })
    const { at } = await retrieve(resilient(inner), ['a', 'b'], { timeout: 1500 })
    expect(at).toBeGreaterThanOrEqual(1000)
    const hasty = await retrieve(
      resilient(cluster({ words: (text) => (text === 'b' ? later : [text]) })),
      ['a', 'b'],
      {
        timeout: 900,
      },
    )
    expect(hasty.at).toBe(0)
    expect(shown(hasty.value)).toEqual([
      ['words a', 'a'],
      ['words b', later],
    ])
  })

  it('counts against the backend if all legs failed, and only then', async () => {
    const breaker = { ratio: 0.5, attempts: 4 }
    const none = resilient(cluster({ words: () => busy }), { breaker })
    const some = resilient(cluster({ words: (text) => (text === 'a' ? [] : busy) }), { breaker })
    for (let time = 0; time < 4; time++) {
      await retrieve(none, ['a', 'b'])
      await retrieve(some, ['a', 'b'])
    }
    expect(none.resilience.state.breaker).toBe('open')
    expect(some.resilience.state.breaker).toBe('closed')
  })

  it('can share its limits with others at the same backend', async () => {
    const shared = createResilience({ concurrency: 1, queue: 0 })
    const slow: Retriever = {
      name: 'slow',
      retrieve: () => new Promise((resolve) => setTimeout(resolve, 100, [])),
    }
    const first = retrieve(resilient(slow, shared), ['a'])
    await expectError(resilient(cluster({ words: () => [] }), shared).retrieve([], { k: 1 }), 'overloaded')
    expect((await first).value).toEqual([])
  })

  it('rejects with the reason of a caller that aborts, even if some legs succeeded', async () => {
    const inner = cluster({ words: (text) => (text === 'a' ? [] : busy) })
    const controller = new AbortController()
    const reason = new Error('enough')
    const watched = watch(
      resilient(inner).retrieve(subQueries('a', 'b'), { k: 10, signal: controller.signal }),
    )
    await vi.advanceTimersByTimeAsync(0)
    controller.abort(reason)
    await vi.runAllTimersAsync()
    expect(watched.settled.error).toBe(reason)
  })

  it('loses no successful leg to the deadline of a fan-out if the retry hangs', async () => {
    const inner = cluster({ words: (text) => (text === 'a' ? ['x'] : busy) })
    const hanging: Retriever = {
      ...inner,
      retrieve: (subQueries, options) =>
        inner.batches.length === 0 ? inner.retrieve(subQueries, options) : new Promise(() => {}),
    }
    const { signal } = new AbortController()
    const legs = fanOut([resilient(hanging)], subQueries('a', 'b'), {
      k: 10,
      timeout: 2000,
      signal,
      clock: systemClock,
    })
    await vi.runAllTimersAsync()
    expect(shown(await legs)).toEqual([
      ['words a', 'x'],
      ['words b', busy],
    ])
  })

  it('passes on invalid answers of the retriever', async () => {
    for (const nonsense of [null, undefined, 'legs', [null], [{}], {}] as unknown[]) {
      const inner = { name: 'nonsense', retrieve: async () => nonsense } as unknown as Retriever
      const { signal } = new AbortController()
      const options = { k: 10, timeout: 2000, signal, clock: systemClock }
      const legs = fanOut([resilient(inner)], subQueries('a'), options)
      await vi.runAllTimersAsync()
      expect(await legs).toMatchObject([{ subQuery: { text: 'a' }, error: {} }])
    }
  })

  it('names the retriever in errors', async () => {
    const inner: Retriever = { name: 'slow', retrieve: () => new Promise(() => {}) }
    const { error } = await retrieve(resilient(inner, { timeout: 100, retries: 0 }), ['a'])
    expect(error).toMatchObject({ what: 'Retriever "slow" took longer than 100 ms' })
  })
})
