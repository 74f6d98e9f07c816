/** What every re-ranker from outside does, whatever is outside. */
import { describe, expect, it } from 'vitest'
import { createOptimizer } from '../../../src/optimizer.ts'
import type { DocumentOf, Reranker } from '../../../src/reranker.ts'
import type { Document, SearchResult, Step } from '../../../src/types.ts'
import { docidsOf } from '../../fusion/lists.ts'
import { expectError } from '../../support/expect-error.ts'
import { hits, scriptedRetriever } from '../../support/scripted.ts'

interface MakeOptions {
  readonly window?: number
  /** Milliseconds. */
  readonly timeout?: number
}

/** A re-ranker whose outside does not answer. */
interface Hanging {
  readonly reranker: Reranker
  /** Resolves when it has been asked. */
  readonly asked: Promise<void>
  /** Resolves when nobody waits for its answer any more. */
  readonly left: Promise<void>
}

export interface RerankerUnderTest {
  /** To its outside, a document has the score of its text, which is its docid. */
  make(scores: Readonly<Record<string, number>>, options?: MakeOptions): Promise<Reranker>
  hanging?(options?: MakeOptions): Promise<Hanging>
  /** What can go wrong outside, and the code of the error in the trace. */
  readonly faults: Readonly<Record<string, { readonly make: () => Promise<Reranker>; readonly code: string }>>
  /** Whether two documents may have the same score. */
  readonly hasTies: boolean
}

const query = { text: 'which' }
const documentOf: DocumentOf = (docid) => ({ docid, text: docid })
const scores = { a: 0.1, b: 0.9, c: 0.5, d: 0.7 }

/** A search whose fused order is that of the docids. */
export function searchWith(reranker: Reranker, docids: readonly string[], k = 10): Promise<SearchResult> {
  const { search } = createOptimizer({
    retrievers: [scriptedRetriever({ found: { which: docids } })],
    rerank: reranker,
    documents: async (asked) => asked.map((docid): Document => ({ docid, text: docid })),
    k,
  })
  return search('which')
}

export const rerankStep = ({ trace }: SearchResult): Extract<Step, { readonly type: 'rerank' }> | undefined =>
  trace.steps.find((step) => step.type === 'rerank')

export function testReranker(name: string, { make, hanging, faults, hasTies }: RerankerUnderTest): void {
  describe(`${name} conforms`, () => {
    it('orders hits by what it is told, and keeps what fusion gave', async () => {
      const reranker = await make(scores)
      const reranked = await reranker.rerank(query, [], hits('a', 'b', 'c', 'd'), documentOf)
      expect(docidsOf(reranked)).toEqual(['b', 'd', 'c', 'a'])
      expect(reranked.map(({ rank }) => rank)).toEqual([1, 2, 3, 4])
      expect(reranked.map(({ fused }) => fused)).toEqual([
        { rank: 2, score: 3 },
        { rank: 4, score: 1 },
        { rank: 3, score: 2 },
        { rank: 1, score: 4 },
      ])
      const given = reranked.map(({ score }) => score)
      expect(given).toEqual(given.toSorted((one, other) => other - one))
    })

    if (hasTies)
      it('keeps the fused order of equal scores', async () => {
        const reranker = await make({ a: 0.5, b: 0.5, c: 0.9, d: 0.5 })
        const reranked = await reranker.rerank(query, [], hits('d', 'a', 'c', 'b'), documentOf)
        expect(docidsOf(reranked)).toEqual(['c', 'd', 'a', 'b'])
      })

    it('leaves an empty pool, a query without words and hits without texts as they are', async () => {
      const reranker = await make({})
      expect(await reranker.rerank(query, [], [], documentOf)).toEqual([])
      const given = hits('a', 'b')
      expect(await reranker.rerank({ text: '  ' }, [], given, documentOf)).toBe(given)
      expect(await reranker.rerank(query, [], given, () => undefined)).toBe(given)
    })

    it('puts documents without a text behind those with one', async () => {
      const reranker = await make(scores)
      const found: DocumentOf = (docid) => (docid === 'b' ? undefined : documentOf(docid))
      const reranked = await reranker.rerank(query, [], hits('a', 'b', 'c'), found)
      expect(docidsOf(reranked)).toEqual(['c', 'a', 'b'])
    })

    it('re-ranks as many as its window has, and leaves the others behind in their order', async () => {
      const reranker = await make(scores, { window: 2 })
      expect(reranker.window).toBe(2)
      expect(reranker.needs?.(query, [], hits('a', 'b', 'c', 'd'))).toEqual(['a', 'b'])
      const reranked = await reranker.rerank(query, [], hits('a', 'b', 'd', 'c'), documentOf)
      expect(docidsOf(reranked)).toEqual(['b', 'a', 'd', 'c'])
      const given = reranked.map(({ score }) => score)
      expect(new Set(given).size).toBe(4)
      expect(given).toEqual(given.toSorted((one, other) => other - one))
    })

    it('does not mix up searches that run at the same time', async () => {
      const reranker = await make(scores)
      const pools = [hits('a', 'b'), hits('c', 'd', 'a'), hits('d')]
      const all = await Promise.all(pools.map((pool) => reranker.rerank(query, [], pool, documentOf)))
      expect(all.map(docidsOf)).toEqual([['b', 'a'], ['d', 'c', 'a'], ['d']])
    })

    it('is a step of the trace', async () => {
      const result = await searchWith(await make(scores), ['a', 'b', 'c', 'd'], 2)
      expect(docidsOf(result.hits)).toEqual(['b', 'd'])
      expect(rerankStep(result)).toMatchObject({ pool: 4 })
      expect(rerankStep(result)?.error).toBeUndefined()
    })

    it('rejects at once if it is aborted before', async () => {
      const reranker = await make(scores)
      const signal = AbortSignal.abort(new Error('enough'))
      const call = Promise.resolve(reranker.rerank(query, [], hits('a'), documentOf, { signal }))
      await expectError(call, 'aborted')
    })

    if (hanging !== undefined)
      it('ends when it is aborted, and hangs up', async () => {
        const { reranker, asked, left } = await hanging()
        const controller = new AbortController()
        const { signal } = controller
        const call = Promise.resolve(reranker.rerank(query, [], hits('a'), documentOf, { signal }))
        const rejected = expectError(call, 'aborted')
        await asked
        controller.abort()
        await rejected
        await left
      })

    if (hanging !== undefined)
      it('keeps the fused order when it is late, says so, and hangs up', async () => {
        // On a busy machine, a short time is over before anything is sent: then there is nobody to hang up on.
        for (const timeout of [20, 200, 2000, 20_000]) {
          const { reranker, asked, left } = await hanging({ timeout })
          let wasAsked = false
          void asked.then(() => {
            wasAsked = true
          })
          const result = await searchWith(reranker, ['a', 'b'])
          expect(docidsOf(result.hits)).toEqual(['a', 'b'])
          expect(result.hits.map(({ fused }) => fused)).toEqual([undefined, undefined])
          expect(rerankStep(result)?.error?.code).toBe('deadline')
          if (wasAsked) return left
        }
        expect.unreachable('it was never asked')
      })

    it.each(Object.entries(faults))('keeps the fused order, and says why: %s', async (_, { make, code }) => {
      const result = await searchWith(await make(), ['a', 'b', 'c'])
      expect(docidsOf(result.hits)).toEqual(['a', 'b', 'c'])
      expect(result.hits.map(({ score, fused }) => [score, fused])).toEqual([
        [1, undefined],
        [1 / 2, undefined],
        [1 / 3, undefined],
      ])
      expect(rerankStep(result)?.error?.code).toBe(code)
      expect(result.trace.fallback).toBeUndefined()
    })
  })
}
