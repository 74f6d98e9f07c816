import { describe, expect, it } from 'vitest'
import type { SearchedLists } from '../../../src/training/rewards/searched-lists.ts'
import { createSearcher, type SearcherOptions } from '../../../src/training/rewards/searcher.ts'
import type { RetrieveOptions, Retriever, SubQuery } from '../../../src/types.ts'
import { expectError } from '../../support/expect-error.ts'
import { manualClock, settled } from '../../support/manual-clock.ts'
import { hits, type ScriptedRetriever, scriptedRetriever } from '../../support/scripted.ts'

const { signal } = new AbortController()
const searches = (...texts: readonly string[]) => texts.map((text) => ({ text, k: 100 }))
const docids = (found: SearchedLists): string[] | string =>
  found instanceof Error ? found.message : found.flatMap((list) => list.hits.map(({ docid }) => docid))
const searcherOf = (retriever: Retriever, options: Partial<SearcherOptions> = {}) =>
  createSearcher({ retrievers: [retriever], indexDigest: 'digest', ...options })

/** Answers when it is told to, each text with a document of its name. */
function gatedRetriever(): Retriever & {
  readonly batches: { texts: string[]; answer: () => void; signal: AbortSignal }[]
} {
  const batches: { texts: string[]; answer: () => void; signal: AbortSignal }[] = []
  return {
    name: 'gated',
    batches,
    async retrieve(subQueries: readonly SubQuery[], options: RetrieveOptions) {
      const texts = subQueries.map(({ text }) => text)
      await new Promise<void>((answer) => batches.push({ texts, answer, signal: options.signal! }))
      return subQueries.map((subQuery) => ({ retriever: 'gated', subQuery, hits: hits(subQuery.text) }))
    },
  }
}

describe('batches', () => {
  it('searches what a request wants in one call, each text once', async () => {
    const retriever = scriptedRetriever({ found: { a: ['d1'], b: ['d2'] } })
    const found = await searcherOf(retriever).search(searches('a', 'b', 'a'), signal)
    expect(found.map(docids)).toEqual([['d1'], ['d2'], ['d1']])
    expect(retriever.calls.map(({ texts }) => texts)).toEqual([['a', 'b']])
    expect(retriever.calls[0]!.options.k).toBe(100)
  })

  it('gathers what several requests want, and what comes while a batch is under way', async () => {
    const retriever = gatedRetriever()
    const searcher = searcherOf(retriever)
    const first = searcher.search(searches('a'), signal)
    const second = searcher.search(searches('b', 'a'), signal)
    await settled()
    const third = searcher.search(searches('c', 'b'), signal)
    const fourth = searcher.search(searches('d'), signal)
    expect(retriever.batches.map(({ texts }) => texts)).toEqual([['a', 'b']])
    retriever.batches[0]!.answer()
    await settled()
    await settled()
    expect(retriever.batches.map(({ texts }) => texts)).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ])
    expect(searcher.counts().waiting).toBe(2)
    retriever.batches[1]!.answer()
    expect((await Promise.all([first, second, third, fourth])).flat().map(docids)).toEqual(
      ['a', 'b', 'a', 'c', 'b', 'd'].map((text) => [text]),
    )
    expect(searcher.counts()).toMatchObject({ hits: 0, misses: 4, joined: 2, waiting: 0 })
  })

  it('has a limit, and one depth a batch', async () => {
    const retriever = scriptedRetriever()
    const searcher = searcherOf(retriever, { batchSize: 2 })
    await searcher.search([...searches('a', 'b', 'c'), { text: 'a', k: 5 }], signal)
    expect(retriever.calls.map(({ texts, options }) => [...texts, options.k])).toEqual([
      ['a', 'b', 100],
      ['c', 100],
      ['a', 5],
    ])
  })
})

describe('limits', () => {
  it('has one of the different searches of a request, of which deeper ones count as several', async () => {
    const retriever = scriptedRetriever()
    const searcher = searcherOf(retriever, { maxSearches: 3 })
    await searcher.search(searches('a', 'b', 'c', 'a', 'b'), signal)
    await searcher.search([{ text: 'a', k: 300 }], signal)
    expect(retriever.calls).toHaveLength(2)
    await expectError(searcher.search(searches('a', 'b', 'c', 'd'), signal), 'budget-exceeded', /\b3\b/)
    await expectError(searcher.search([{ text: 'a', k: 301 }], signal), 'budget-exceeded', /\b3\b/)
    expect(retriever.calls).toHaveLength(2)
  })

  it('has one of what is waiting, and lets go of what it refuses', async () => {
    const retriever = gatedRetriever()
    const searcher = searcherOf(retriever, { maxQueued: 2 })
    const first = searcher.search(searches('a', 'b'), signal)
    await settled()
    await expectError(searcher.search(searches('a', 'c'), signal), 'retriever-failed', /\b2 searches/)
    expect(searcher.counts().waiting).toBe(2)
    const joined = searcher.search(searches('b'), signal)
    retriever.batches[0]!.answer()
    expect((await Promise.all([first, joined])).flat().map(docids)).toEqual([['a'], ['b'], ['b']])
    const again = searcher.search(searches('a', 'c'), signal)
    await settled()
    await settled()
    retriever.batches[1]!.answer()
    expect((await again).map(docids)).toEqual([['a'], ['c']])
    expect(retriever.batches.map(({ texts }) => texts)).toEqual([['a', 'b'], ['c']])
  })
})

describe('the cache', () => {
  it('answers what was searched before, at the same depth', async () => {
    const retriever = scriptedRetriever({ found: { a: ['d1'] } })
    const searcher = searcherOf(retriever)
    await searcher.search(searches('a'), signal)
    expect((await searcher.search(searches('a'), signal)).map(docids)).toEqual([['d1']])
    await searcher.search([{ text: 'a', k: 7 }], signal)
    expect(retriever.calls).toHaveLength(2)
    expect(searcher.counts()).toMatchObject({ hits: 1, misses: 2, entries: 2 })
  })

  it('keeps the searches that were used last', async () => {
    const retriever = scriptedRetriever()
    const searcher = searcherOf(retriever, { cacheEntries: 2 })
    for (const text of ['a', 'b', 'a', 'c', 'a', 'b']) await searcher.search(searches(text), signal)
    expect(retriever.calls.map(({ texts }) => texts[0])).toEqual(['a', 'b', 'c', 'b'])
  })

  it.each(['cacheEntries', 'cacheBytes', 'batchSize', 'maxSearches', 'maxQueued'])(
    'refuses a %s of 0',
    (name) => {
      expectError(() => searcherOf(scriptedRetriever(), { [name]: 0 }), 'bad-config', name)
    },
  )

  it('is bounded in bytes, and a list that is larger than all of it is not kept', async () => {
    const found = { a: ['d1'], b: ['d2'], long: Array.from({ length: 100 }, (_, index) => `d${index}`) }
    const searcher = searcherOf(scriptedRetriever({ found }), { cacheBytes: 2_000 })
    for (const text of ['a', 'b', 'long', 'c']) await searcher.search(searches(text), signal)
    const { entries, bytes } = searcher.counts()
    expect(entries).toBeGreaterThanOrEqual(2)
    expect(bytes).toBeLessThanOrEqual(2_000)
    await searcher.search(searches('long'), signal)
    expect(searcher.counts().hits).toBe(0)
  })

  it('does not keep documents', async () => {
    const retriever: Retriever = {
      name: 'r',
      retrieve: async (subQueries) =>
        subQueries.map((subQuery) => ({
          retriever: 'r',
          subQuery,
          hits: [{ docid: 'd', score: 1, rank: 1, document: { docid: 'd', text: 'long' } }],
        })),
    }
    const [found] = await searcherOf(retriever).search(searches('a'), signal)
    expect((found as Exclude<SearchedLists, Error>)[0]!.hits).toEqual([{ docid: 'd', score: 1, rank: 1 }])
  })
})

describe('errors', () => {
  it('are those of one search, and are not kept', async () => {
    const found: Record<string, readonly string[] | Error> = { a: ['d1'], b: new Error('shard lost') }
    const retriever = scriptedRetriever({ found })
    const searcher = searcherOf(retriever)
    expect((await searcher.search(searches('a', 'b'), signal)).map(docids)).toEqual([
      ['d1'],
      `Retriever "bm25": shard lost. See the cause: it is the backend's own error.`,
    ])
    found.b = ['d2']
    expect((await searcher.search(searches('b'), signal)).map(docids)).toEqual([['d2']])
  })

  it('come of one retriever of several: half of the lists would be another reward', async () => {
    const retrievers: ScriptedRetriever[] = [
      scriptedRetriever({ found: { a: ['d1'] } }),
      scriptedRetriever({ name: 'dense', fails: new Error('no memory') }),
    ]
    const searcher = createSearcher({ retrievers, indexDigest: 'digest' })
    expect((await searcher.search(searches('a'), signal)).map(docids)[0]).toContain(
      'Retriever "dense": no memory',
    )
  })

  it('come of lists that are incomplete', async () => {
    let missing = '2 of 5 shards failed'
    const retriever: Retriever = {
      name: 'r',
      retrieve: async (subQueries) =>
        subQueries.map((subQuery) => ({
          retriever: 'r',
          subQuery,
          hits: hits('d1'),
          ...(missing !== '' && { incomplete: missing }),
        })),
    }
    const searcher = searcherOf(retriever)
    expect((await searcher.search(searches('a'), signal)).map(docids)[0]).toContain('hits may be missing')
    missing = ''
    expect((await searcher.search(searches('a'), signal)).map(docids)).toEqual([['d1']])
  })

  it('come of a batch that is late', async () => {
    const clock = manualClock()
    const searcher = searcherOf(scriptedRetriever({ ms: 50, clock }), { clock, timeout: 10 })
    const found = searcher.search(searches('a'), signal)
    await settled()
    await clock.advance(10)
    expect((await found).map(docids)[0]).toContain('took longer than 10 ms')
  })
})

describe('a request that is not waited for any more', () => {
  it('drops its searches, but not those that others wait for', async () => {
    const retriever = gatedRetriever()
    const searcher = searcherOf(retriever, { batchSize: 1 })
    const gone = new AbortController()
    const abandoned = searcher.search(searches('a', 'b', 'c'), gone.signal)
    const other = searcher.search(searches('c'), signal)
    await settled()
    gone.abort(new Error('gone'))
    await expect(abandoned).rejects.toThrow('gone')
    // The one under way was its own alone: it is told to stop.
    expect(retriever.batches[0]!.signal.aborted).toBe(true)
    await settled()
    await settled()
    retriever.batches[1]!.answer()
    expect((await other).map(docids)).toEqual([['c']])
    expect(retriever.batches.map(({ texts }) => texts)).toEqual([['a'], ['c']])
    expect(searcher.counts().waiting).toBe(0)
  })

  it('whose search is under way leaves nothing of it to whoever comes after', async () => {
    const retriever = gatedRetriever()
    const searcher = searcherOf(retriever)
    const gone = new AbortController()
    const abandoned = searcher.search(searches('a'), gone.signal)
    await settled()
    gone.abort(new Error('gone'))
    await expect(abandoned).rejects.toThrow('gone')
    const again = searcher.search(searches('a'), signal)
    await settled()
    await settled()
    retriever.batches[1]!.answer()
    expect((await again).map(docids)).toEqual([['a']])
  })

  it('does not begin with a signal that is aborted', async () => {
    const retriever = scriptedRetriever()
    await expect(
      searcherOf(retriever).search(searches('a'), AbortSignal.abort(new Error('no'))),
    ).rejects.toThrow('no')
    expect(retriever.calls).toEqual([])
  })
})

it('searches the first 1,024 words of a text', async () => {
  const retriever = scriptedRetriever()
  const words = Array.from({ length: 3000 }, (_, index) => `w${index}`)
  const [exactly, more] = [words.slice(0, 1024).join(' '), words.join('\n ')]
  await searcherOf(retriever).search(searches(more), signal)
  expect(retriever.calls[0]!.texts).toEqual([exactly])
})
