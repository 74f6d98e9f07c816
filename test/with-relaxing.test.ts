/** What becomes of searches in the process that find nothing. */
import { beforeAll, describe, expect, it } from 'vitest'
import { buildWinkBm25, type WinkBm25 } from '../adapters/search/wink-bm25.ts'
import { none } from '../policies/none.ts'
import { readBeir } from '../src/evaluation/beir-folder.ts'
import type { RelaxOptions } from '../src/last-steps.ts'
import { createOptimizer, type OptimizerOptions } from '../src/optimizer.ts'
import { bestOf, nothingFoundWords, stepsOf, wordsOf } from '../src/relax.ts'
import type { Reranker } from '../src/reranker.ts'
import type { GivenQuery, Leg, SearchResult } from '../src/types.ts'
import { withRelaxing } from '../src/with-relaxing.ts'
import { expectError } from './support/expect-error.ts'
import { manualClock } from './support/manual-clock.ts'
import { scriptedRetriever } from './support/scripted.ts'
import { sampleDocuments, sampleFolder } from './support/small-policy.ts'

let bm25: WinkBm25
beforeAll(async () => {
  bm25 = await buildWinkBm25(await sampleDocuments())
})

const search = (
  query: GivenQuery | string,
  relax?: RelaxOptions | boolean,
  more: Partial<OptimizerOptions> = {},
): Promise<SearchResult> =>
  createOptimizer({ retrievers: [bm25], clock: manualClock(), relax, ...more }).search(query)
const docids = ({ hits }: SearchResult) => hits.map(({ docid }) => docid)
const backwards: Reranker = {
  rerank: (_query, _lists, fused) =>
    fused.toReversed().map((hit, at) => ({ ...hit, score: -at, rank: at + 1 })),
}
const onShelf = { text: 'stone towers of the Brooklyn Bridge', filter: { subject: 'shoes' } }

describe('a search that found nothing', () => {
  it('is searched by the nearest words of the index', async () => {
    const found = await search('brokolyn brdige', true)
    expect(docids(found)[0]).toBe('brooklyn-bridge')
    expect(found.nothingFound).toEqual({
      reason: 'no document that it may find has some of its words',
      missing: ['brokolyn', 'brdige'],
      shown: 'all of its words, also where they are spelled nearly alike',
      query: 'brooklyn bridge',
    })
    expect(found.trace.outcome.nothingFound).toEqual(found.nothingFound)
    expect(found.trace.steps.filter(({ type }) => type === 'retrieve')).toHaveLength(2)
  })

  it('is searched without a filter that the operator lists', async () => {
    const found = await search(onShelf, { droppable: ['subject', 'color'] })
    expect(docids(found)[0]).toBe('brooklyn-bridge')
    expect(nothingFoundWords(found.nothingFound!)).toBe(
      'nothing was found, since the filter on subject leaves nothing that it asks for; ' +
        'shown is what has all of its words, without the filter on subject',
    )
  })

  it('stays empty where nothing that is allowed helps, and says why', async () => {
    const kept = await search(onShelf, true)
    expect(kept.hits).toEqual([])
    expect(kept.nothingFound).toEqual({
      reason: 'no document that it may find has some of its words',
      missing: ['stone', 'towers', 'Brooklyn', 'Bridge'],
    })
    expect((await search('qqqqqqqq', true)).nothingFound?.missing).toEqual(['qqqqqqqq'])
  })

  it('is not searched again by default, nor where a list is missing', async () => {
    expect((await search(onShelf)).nothingFound).toBeUndefined()
    const broken = scriptedRetriever({ found: { zebra: new Error('down') } })
    const found = await search('zebra', true, {
      retrievers: [bm25, { ...broken, name: 'broken', relaxes: true }],
    })
    expect([found.hits, found.nothingFound, broken.calls.length]).toEqual([[], undefined, 1])
  })

  it('is re-ranked as other searches are', async () => {
    const plain = await search('brokolyn brdige', true)
    const found = await search('brokolyn brdige', true, { rerank: backwards })
    expect(docids(found)[0]).not.toBe(docids(plain)[0])
    expect(found.trace.steps.find(({ type }) => type === 'rerank')).toMatchObject({
      question: 'brooklyn bridge',
    })
  })

  it('with too few hits keeps them in front', async () => {
    const few = { text: 'brooklyn', filter: { subject: 'bridges' } }
    const own = docids(await search(few))
    const found = await search(few, { minHits: own.length + 1, droppable: ['subject'] })
    expect(docids(found).slice(0, own.length)).toEqual(own)
    expect(found.hits.length).toBeGreaterThan(own.length)
    expect(found.hits.map(({ rank }) => rank)).toEqual(found.hits.map((_, place) => place + 1))
  })

  it('names what is wrong with its options', () =>
    expectError(() => withRelaxing(none(), { minHits: 0 }), 'bad-config', 'minHits'))
})

describe('on the sample', () => {
  /** Two neighboring letters of each longer word exchanged. */
  const misspelled = (text: string) => text.replace(/\b(\w\w)(\w)(\w)(\w*)/g, '$1$3$2$4')

  it('most empty searches come back with a relevant hit among the first five, and others do not change', async () => {
    const { queries, qrels } = await readBeir(sampleFolder)
    let [empty, helped] = [0, 0]
    for (const { qid, text } of queries)
      for (const query of [{ text }, { text, filter: { subject: 'none' } }, { text: misspelled(text) }]) {
        const plain = await search(query)
        const found = await search(query, { droppable: ['subject'] })
        if (plain.hits.length > 0) {
          expect(found).toEqual(plain)
          continue
        }
        empty++
        if (
          docids(found)
            .slice(0, 5)
            .some((docid) => (qrels.get(qid!)?.get(docid) ?? 0) > 0)
        )
          helped++
      }
    expect(empty).toBeGreaterThan(queries.length)
    expect(helped / empty).toBeGreaterThan(0.6)
  })
})

describe('the steps', () => {
  const steps = stepsOf(['brand'])
  const finding = (hits: readonly number[]): Leg[] =>
    steps.map((relaxed, place) => ({
      ...{ retriever: 'engine', subQuery: { text: 'q', round: 1, relaxed } },
      hits: Array.from({ length: hits[place] ?? 0 }, (_, at) => ({
        docid: `d${at}`,
        score: 1,
        rank: at + 1,
      })),
    }))

  it.each([
    ['the first that finds enough', [0, 2, 0, 7, 9], ['x'], 3],
    ['the one that finds the most where none does', [1, 2, 2], ['x'], 1],
    ['one that takes words as they are where none is missing', [9, 0, 0, 9, 9], [], 4],
    ['words that are nearly alike where nothing else finds anything', [9], [], 0],
  ])('show %s', (_, hits, missing, place) => expect(bestOf(steps, finding(hits), missing)).toBe(steps[place]))

  it('show nothing where none finds anything', () =>
    expect(bestOf(steps, finding([]), ['x'])).toBeUndefined())

  it('look for telling words alone, each once', () =>
    expect(wordsOf('Is it the Müller-Thurgau of müller, 2019?')).toEqual(['müller', 'Thurgau', '2019']))
})
