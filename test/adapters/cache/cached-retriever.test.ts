/** A retriever behind a cache: it is one like any other, and no caller has another's legs. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createCache } from '../../../adapters/cache/cache.ts'
import { cachedRetriever } from '../../../adapters/cache/cached-retriever.ts'
import { buildWinkBm25 } from '../../../adapters/search/wink-bm25.ts'
import type { Hit, RetrieveOptions, Retriever, SubQuery } from '../../../src/types.ts'
import { expectError } from '../../support/expect-error.ts'
import { library, testRetriever } from '../search/conformance.ts'

testRetriever({
  name: 'bm25 behind a cache',
  create: async (documents, options) =>
    cachedRetriever(await buildWinkBm25(documents, options), createCache(), { scope: [] }),
})

/** Each leg says who retrieved it, and for which request. */
function telling(who: string) {
  const calls: (readonly string[])[] = []
  const retriever: Retriever = {
    name: 'engine',
    async retrieve(subQueries, { k, filter }) {
      calls.push(subQueries.map(({ text }) => text))
      return subQueries.map((subQuery) => {
        const docid = JSON.stringify([who, subQuery.text, subQuery.where, k, filter])
        return { retriever: 'engine', subQuery, hits: [{ docid, score: 1, rank: 1 }] }
      })
    },
  }
  return { retriever, calls }
}

const asking = (text: string, round = 0): SubQuery => ({ text, round })

describe('a cached retriever', () => {
  it('retrieves what is missing in one request, and gives each leg the sub-query of its caller', async () => {
    const { retriever, calls } = telling('ann')
    const cached = cachedRetriever(retriever, createCache(), { scope: ['ann'] })
    await cached.retrieve([asking('a')], { k: 5 })
    const subQueries = [asking('b', 1), asking('a', 1), asking('c', 1), asking('b', 2)]
    const legs = await cached.retrieve(subQueries, { k: 5 })
    expect(calls).toEqual([['a'], ['b', 'c']])
    expect(legs).toEqual(await retriever.retrieve(subQueries, { k: 5 }))
  })

  it('keeps hits as they are, with their documents', async () => {
    const bm25 = await buildWinkBm25(library)
    let asked = 0
    const counted: Retriever = {
      ...bm25,
      retrieve: (...args) => {
        asked++
        return bm25.retrieve(...args)
      },
    }
    const cached = cachedRetriever(counted, createCache(), { scope: [] })
    const request = { k: 3, filter: { docid: { not: 'd1' } } }
    const first = await cached.retrieve([asking('the river and the bread')], request)
    expect(await cached.retrieve([asking('the river and the bread')], request)).toEqual(first)
    expect(asked).toBe(1)
  })

  it('no caller ever has the legs of another, of another filter, condition or depth', async () => {
    const cache = createCache()
    const request = fc.record({
      who: fc.constantFrom('ann', 'bob'),
      texts: fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 4 }),
      k: fc.constantFrom(1, 10),
      filter: fc.constantFrom(undefined, null, {}, { tenant: 'a' }, { tenant: ['a'] }, '{"tenant":"a"}'),
      where: fc.constantFrom(undefined, [], [{ field: 'year', gte: 2019 }]),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(request, { minLength: 2, maxLength: 6 }), async (requests) => {
        await Promise.all(
          requests.map(async ({ who, texts, where, ...options }) => {
            const subQueries = texts.map((text) => ({ ...asking(text), ...(where && { where }) }))
            const { retriever } = telling(who)
            const legs = await cachedRetriever(retriever, cache, { scope: [who] }).retrieve(
              subQueries,
              options as RetrieveOptions,
            )
            expect(legs).toEqual(await retriever.retrieve(subQueries, options as RetrieveOptions))
          }),
        )
      }),
    )
  })

  it.each([
    ['a date', new Date(0)],
    ['a set', new Set(['a'])],
    ['something that is not there', { tenant: undefined }],
    ['a function', () => true],
  ])('does not look up a filter that JSON cannot write: %s', async (_, filter) => {
    const { retriever, calls } = telling('ann')
    const cached = cachedRetriever(retriever, createCache(), { scope: [] })
    for (let time = 0; time < 2; time++) await cached.retrieve([asking('a')], { k: 1, filter })
    expect(calls).toHaveLength(2)
  })

  it.each<
    readonly [
      string,
      (
        | { readonly error: Error }
        | { readonly hits: []; readonly incomplete: string }
        | { readonly hits: readonly Hit[] }
      ),
    ]
  >([
    ['failed', { error: new Error('down') }],
    ['incomplete', { hits: [], incomplete: '1 of 5 shards failed' }],
    ['not JSON', { hits: [{ docid: 'd', score: Number.POSITIVE_INFINITY, rank: 1 }] }],
  ])('keeps no leg that is %s', async (_, answer) => {
    const { retriever, calls } = telling('ann')
    const failing: Retriever = {
      ...retriever,
      async retrieve(subQueries, request) {
        await retriever.retrieve(subQueries, request)
        return subQueries.map((subQuery) => ({ retriever: 'engine', subQuery, ...answer }))
      },
    }
    const cached = cachedRetriever(failing, createCache(), { scope: [] })
    const first = await cached.retrieve([asking('a')], { k: 1 })
    expect(first).toEqual(await failing.retrieve([asking('a')], { k: 1 }))
    await cached.retrieve([asking('a')], { k: 1 })
    expect(calls).toHaveLength(3)
  })

  it('refuses a scope in which JSON shows no caller', () => {
    const { retriever } = telling('ann')
    expectError(() => cachedRetriever(retriever, createCache(), { scope: [new Set(['ann'])] }), 'bad-config')
  })
})
