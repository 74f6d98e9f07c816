import { describe, expect, it } from 'vitest'
import { confidenceInputs } from '../../../../policies/local/rerank/confidence.ts'
import { firstInputs, secondInputs } from '../../../../policies/local/rerank/features.ts'
import { createReranker } from '../../../../policies/local/rerank/rerank.ts'
import type { RerankSection } from '../../../../policies/local/rerank/rerank-section.ts'
import { trustInputs } from '../../../../policies/local/rerank/trust.ts'
import { createOptimizer } from '../../../../src/optimizer.ts'
import { createReader } from '../../../../src/text/reader.ts'
import type { Document, Hit, Retriever } from '../../../../src/types.ts'
import { expectError } from '../../../support/expect-error.ts'
import { linear } from '../../../support/small-scorers.ts'

const query = { text: 'Who built the viaduct?' }
const documents: readonly Document[] = [
  { docid: 'a', title: 'Ada Frost', text: 'Ada Frost painted.' },
  { docid: 'b', title: 'Lune Viaduct', text: 'Tom Hale built the viaduct.' },
  { docid: 'c', title: 'Eskby', text: 'Eskby has a market.' },
]
const fused = documents.map(({ docid }, place): Hit => ({ docid, rank: place + 1, score: 10 - place }))
const lists = [{ retriever: 'bm25', subQuery: { text: query.text, round: 0 }, hits: fused }]
const documentOf = (docid: string) => documents.find((document) => document.docid === docid)

/** Orders by how much of the question a document covers: b first. */
const section: RerankSection = {
  first: [linear(firstInputs, { 'query in document': 1 })],
  second: [linear(secondInputs, { 'query in document': 1 })],
  pair: [],
}
const rerank = (more: Partial<RerankSection>): readonly Hit[] =>
  createReranker({ ...section, ...more }, createReader({ documents: 10, stems: {} })).rerank(
    query,
    lists,
    fused,
    documentOf,
  )
const trusting = (weights: Readonly<Record<string, number>>) => ({ trust: [linear(trustInputs, weights)] })
const docids = (hits: readonly Hit[]): string[] => hits.map(({ docid }) => docid)

describe('trust in the new order', () => {
  it('is blind where nothing was learned of it', () => {
    expect(docids(rerank({}))[0]).toBe('b')
  })

  it('keeps the given order where that should be better, with what fusion gave', () => {
    // It loses where the first document changes.
    const kept = rerank(trusting({ 'orders: same first': 1, 'orders: rank of the new first': -1 }))
    expect(kept).toEqual(fused.map((hit) => ({ ...hit, fused: { rank: hit.rank, score: hit.score } })))
  })

  it('takes the new order where that gains, or is as good', () => {
    expect(docids(rerank(trusting({ 'orders: rank of the new first': 1 })))[0]).toBe('b')
    expect(docids(rerank(trusting({})))[0]).toBe('b')
  })

  it('compares with the order that it was given, not with that of the lists', () => {
    const section = trusting({
      'orders: same first': 2,
      'documents: given first covers': -1,
      'query: words': -1,
    })
    const reranker = createReranker({ ...rerankSection(section) }, createReader({ documents: 10, stems: {} }))
    const given = [fused[1]!, fused[0]!, fused[2]!]
    // b is first in both: the same first outweighs the rest.
    expect(docids(reranker.rerank(query, lists, given, documentOf))[0]).toBe('b')
    expect(reranker.scores(query, lists, documentOf, docids(fused)).scores).toHaveLength(0)
    expect(reranker.scores(query, lists, documentOf, docids(given)).scores).toHaveLength(3)
  })

  function rerankSection(more: Partial<RerankSection>): RerankSection {
    return { ...section, ...more }
  }
})

describe('confidence', () => {
  const sure = { confidence: linear(confidenceInputs, { 'hit: covers': 2, 'hit: 1/new rank': -1 }) }

  it('is a probability beside each hit, whether or not the order changes', () => {
    for (const more of [sure, { ...sure, ...trusting({ 'orders: rank of the new first': -1 }) }]) {
      const hits = rerank(more)
      const of = (docid: string): number => hits.find((hit) => hit.docid === docid)!.confidence!
      // b covers both words of the question and is first by score: σ(2 − 1). The others cover none.
      expect(of('b')).toBeCloseTo(1 / (1 + Math.exp(-1)), 6)
      expect(of('a')).toBeLessThan(0.5)
    }
    expect(rerank({}).every(({ confidence }) => confidence === undefined)).toBe(true)
  })

  it('limits what a search returns, and says whether anything was found', async () => {
    const retriever: Retriever = {
      name: 'bm25',
      retrieve: async (subQueries) =>
        subQueries.map((subQuery) => ({ retriever: 'bm25', subQuery, hits: fused })),
    }
    const search = (minConfidence?: number) =>
      createOptimizer({
        retrievers: [retriever],
        documents: async (wanted) => wanted.map(documentOf),
        rerank: createReranker({ ...section, ...sure }, createReader({ documents: 10, stems: {} })),
        minConfidence,
      }).search(query)
    const all = await search()
    expect(all.hits).toHaveLength(3)
    const none = all.hits.reduce((product, { confidence }) => product * (1 - confidence!), 1)
    expect(all.answerable).toBeCloseTo(1 - none, 12)
    const few = await search(0.6)
    expect(docids(few.hits)).toEqual(['b'])
    const some = await search(all.hits[1]!.confidence)
    expect(some.hits.map(({ rank }) => rank)).toEqual(some.hits.map((_, place) => place + 1))
    expect(few.answerable).toBe(all.answerable)
    expect((await search(0.9)).hits).toEqual([])
    expectError(
      () => createOptimizer({ retrievers: [retriever], minConfidence: 2 }),
      'bad-config',
      'minConfidence',
    )
  })

  it('leaves hits that nobody judged', async () => {
    const bare: Retriever = {
      name: 'bm25',
      retrieve: async (subQueries) =>
        subQueries.map((subQuery) => ({ retriever: 'bm25', subQuery, hits: fused })),
    }
    const result = await createOptimizer({ retrievers: [bare], minConfidence: 0.5 }).search(query)
    expect(result.hits).toHaveLength(3)
    expect(result.answerable).toBeUndefined()
  })
})
