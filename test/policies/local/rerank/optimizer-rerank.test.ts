/** Re-ranking after any policy, and the documents that it and policies read. */
import { describe, expect, it } from 'vitest'
import { rankScore } from '../../../../fusion/rank-score.ts'
import { acqo } from '../../../../policies/acqo/acqo.ts'
import { firstInputs, secondInputs } from '../../../../policies/local/rerank/features.ts'
import { explain } from '../../../../src/explain.ts'
import { createOptimizer, type OptimizerOptions } from '../../../../src/optimizer.ts'
import type { Policy } from '../../../../src/policy.ts'
import { createReader } from '../../../../src/text/reader.ts'
import { traceSchema } from '../../../../src/trace-schema.ts'
import type { Document, Retriever, SearchResult, Step } from '../../../../src/types.ts'
import { expectError } from '../../../support/expect-error.ts'
import { rerankerOf } from '../../../support/local-reranker.ts'
import { manualClock } from '../../../support/manual-clock.ts'
import { scriptedChat, scriptedRetriever } from '../../../support/scripted.ts'
import { linear } from '../../../support/small-scorers.ts'

/** Puts what was fused last first: the less the lists think of a document, the better. */
const backwards = rerankerOf(
  { first: [linear(firstInputs)], second: [linear(secondInputs, { 'fused ÷ best': -1 })], pair: [] },
  createReader({ documents: 10, stems: {} }),
)

const found = { who: ['a', 'b', 'c'], first: ['d', 'a'], second: ['e'] }
const split = JSON.stringify({ query: 'first%%second' })
const textOf = (docid: string): Document => ({ docid, text: `The text of ${docid}.` })

interface Finding {
  readonly find: NonNullable<OptimizerOptions['documents']>
  readonly asked: (readonly string[])[]
}

/** All documents, but those that are missing. */
function finding(missing: readonly string[] = []): Finding {
  const asked: (readonly string[])[] = []
  return {
    asked,
    find: async (docids) => {
      asked.push(docids)
      return docids.map((docid) => (missing.includes(docid) ? undefined : textOf(docid)))
    },
  }
}

const search = (options: Partial<OptimizerOptions>, query = 'who'): Promise<SearchResult> =>
  createOptimizer({
    retrievers: [close(scriptedRetriever({ found }))],
    rerank: backwards,
    documents: finding().find,
    ...options,
  }).search(query)

/** The same hits with scores that lie closer together: what is far ahead stays first, whatever a re-ranker thinks of it. */
const close = (retriever: Retriever): Retriever => ({
  ...retriever,
  async retrieve(subQueries, options) {
    const legs = await retriever.retrieve(subQueries, options)
    return legs.map((leg) =>
      leg.error === undefined
        ? { ...leg, hits: leg.hits.map((hit) => ({ ...hit, score: hit.score + 10 })) }
        : leg,
    )
  },
})

const docids = ({ hits }: SearchResult): string[] => hits.map(({ docid }) => docid)
const rerankStep = ({ trace }: SearchResult) =>
  trace.steps.find((step): step is Extract<Step, { type: 'rerank' }> => step.type === 'rerank')

describe('re-ranking', () => {
  it('orders what was fused anew, and keeps what fusion gave', async () => {
    const result = await search({})
    expect(result.hits.map(({ docid, rank, fused }) => [docid, rank, fused])).toEqual([
      ['c', 1, { rank: 3, score: 1 / 3 }],
      ['b', 2, { rank: 2, score: 1 / 2 }],
      ['a', 3, { rank: 1, score: 1 }],
    ])
    expect(rerankStep(result)).toMatchObject({ pool: 3 })
    expect(rerankStep(result)?.error).toBeUndefined()
    expect(traceSchema.safeParse(result.trace).error).toBeUndefined()
    for (const { recomputed, fused } of explain(result.trace, rankScore()))
      expect(recomputed).toBeCloseTo(fused!.score, 12)
  })

  it('comes after any policy, and brings up what did not vote', async () => {
    const policy = acqo()
    const result = await search({ policy, chat: scriptedChat([split]) })
    // Lists of "who", "first" and "second" make the pool; a: 1 + 1/2, d and e: 1, b: 1/2, c: 1/3. Fused were d, e, a.
    expect(docids(result).slice(0, 2)).toEqual(['c', 'b'])
    expect(docids(result).at(-1)).toBe('a')
    expect(docids(result)).toHaveLength(5)
    const fused = Object.fromEntries(result.hits.map((hit) => [hit.docid, hit.fused?.rank]))
    expect(fused).toEqual({ d: 1, e: 2, a: 3, b: undefined, c: undefined })
    // Whoever did not vote says which list brought it; there is no fused score to be computed again.
    const [first] = explain(result.trace, rankScore())
    expect(first).toMatchObject({ docid: 'c', contributions: [{ subQuery: { text: 'who' }, rank: 3 }] })
    expect(first?.recomputed).toBeUndefined()
  })

  it('looks at more than is wanted, and gives what is wanted', async () => {
    const many = Array.from({ length: 130 }, (_, place) => `m${String(place).padStart(3, '0')}`)
    const retrievers = [scriptedRetriever({ found: { who: many } })]
    const optimizer = createOptimizer({
      retrievers,
      rerank: backwards,
      documents: finding().find,
      depth: 130,
    })
    const few = await optimizer.search('who', { k: 2 })
    // The first sixty are looked at, and the last of them is put first.
    expect(docids(few)).toEqual(['m059', 'm058'])
    expect(rerankStep(few)?.pool).toBe(60)
    // Those behind them stay where they were.
    const all = await optimizer.search('who', { k: 130 })
    expect(docids(all)).toEqual([...many.slice(0, 60).reverse(), ...many.slice(60)])
    const scores = all.hits.map(({ score }) => score)
    expect(scores).toEqual([...scores].sort((a, b) => b - a))
  })

  it('leaves those without a text behind those with one', async () => {
    const { find } = finding(['c'])
    expect(docids(await search({ documents: find }))).toEqual(['b', 'a', 'c'])
    const none = await search({ documents: finding(['a', 'b', 'c']).find })
    expect(docids(none)).toEqual(['a', 'b', 'c'])
    expect(none.hits.every(({ fused }) => fused === undefined)).toBe(true)
    expect(rerankStep(none)).toMatchObject({ pool: 0 })
  })

  it('keeps the fused order where documents cannot be had, and says why', async () => {
    const failing = async (): Promise<never> => Promise.reject(new Error('the store is down'))
    const result = await search({ documents: failing })
    const plain = await search({ rerank: undefined })
    expect(result.hits).toEqual(plain.hits)
    expect(rerankStep(result)?.error).toEqual({ code: 'Error', message: 'the store is down' })
    expect(result.trace).toMatchObject({ partial: false, kind: 'as-is' })
    expect(result.trace.fallback).toBeUndefined()
    expect(traceSchema.safeParse(result.trace).error).toBeUndefined()
  })

  it('keeps the fused order where the re-ranker itself fails', async () => {
    const broken = {
      ...backwards,
      rerank: () => {
        throw new RangeError('bug')
      },
    }
    const result = await search({ rerank: broken })
    expect(docids(result)).toEqual(['a', 'b', 'c'])
    expect(rerankStep(result)?.error).toEqual({ code: 'RangeError', message: 'bug' })
  })

  it('keeps the fused order at the deadline of the search', async () => {
    const clock = manualClock()
    const searching = search({ documents: () => new Promise(() => {}), clock, budget: { timeout: 5000 } })
    await clock.advance(5000)
    const result = await searching
    expect(docids(result)).toEqual(['a', 'b', 'c'])
    expect(rerankStep(result)?.error?.code).toBe('deadline')
    expect(result.trace.times).toMatchObject({ total: 5000, reranking: 5000 })
  })

  it('has its time beside the others', async () => {
    const clock = manualClock()
    const slow: OptimizerOptions['documents'] = async (wanted) => {
      await new Promise<void>((resolve) => clock.after(30, resolve))
      return wanted.map(textOf)
    }
    const searching = search({ documents: slow, clock })
    await clock.advance(30)
    expect((await searching).trace.times).toMatchObject({
      total: 30,
      reranking: 30,
      fusing: 0,
      retrieving: 0,
    })
  })

  it('does not happen to results that a policy fell back to, nor to none', async () => {
    const down = await search({ policy: acqo(), chat: scriptedChat([new Error('down')]) })
    expect(down.trace.fallback?.message).toBe('down')
    expect(docids(down)).toEqual(['a', 'b', 'c'])
    expect(rerankStep(down)).toBeUndefined()
    const nothing = await search({}, 'nobody')
    expect(nothing.hits).toEqual([])
    expect(rerankStep(nothing)).toBeUndefined()
  })

  it("ends with the caller's reason", async () => {
    const controller = new AbortController()
    const optimizer = createOptimizer({
      retrievers: [scriptedRetriever({ found })],
      rerank: backwards,
      documents: () => {
        controller.abort(new Error('no longer wanted'))
        return new Promise(() => {})
      },
    })
    await expect(optimizer.search('who', { signal: controller.signal })).rejects.toThrow('no longer wanted')
  })
})

describe('documents', () => {
  it('are asked for once, whoever reads them, and without those that are known', async () => {
    const { find, asked } = finding()
    const policy: Policy = {
      name: 'reader',
      async run(_query, tools) {
        const legs = await tools.original()
        const documentOf = await tools.documents(['a', 'unheard-of'])
        expect(documentOf('a')).toEqual(textOf('a'))
        expect((await tools.documents(['a']))('b')).toBeUndefined()
        return { hits: tools.fuse(legs) }
      },
    }
    await search({ policy, documents: find })
    expect(asked).toEqual([
      ['a', 'unheard-of'],
      ['b', 'c'],
    ])
  })

  it('that come with hits need not be found', async () => {
    const plain = close(scriptedRetriever({ found }))
    const withTexts = {
      ...plain,
      retrieve: async (...[subQueries, options]: Parameters<typeof plain.retrieve>) => {
        const legs = await plain.retrieve(subQueries, options)
        return legs.map((leg) =>
          leg.error === undefined
            ? { ...leg, hits: leg.hits.map((hit) => ({ ...hit, document: textOf(hit.docid) })) }
            : leg,
        )
      },
    }
    const { find, asked } = finding()
    const result = await search({ retrievers: [withTexts], documents: find })
    expect(docids(result)).toEqual(['c', 'b', 'a'])
    expect(asked).toEqual([])
    // The caller gets the texts, the trace does not.
    expect(result.hits[0]?.document).toEqual(textOf('c'))
    expect(JSON.stringify(result.trace)).not.toContain('The text of')
    expect(docids(await search({ retrievers: [withTexts], documents: undefined }))).toEqual(['c', 'b', 'a'])
  })

  it("that a policy cannot have end it, and the original's results are returned", async () => {
    const policy: Policy = {
      name: 'reader',
      async run(_query, tools) {
        await tools.documents(['a'])
        return { hits: [] }
      },
    }
    const result = await search({ policy, documents: () => Promise.reject(new TypeError('odd')) })
    expect(docids(result)).toEqual(['a', 'b', 'c'])
    expect(result.trace.fallback).toEqual({ code: 'TypeError', message: 'odd' })
  })

  it('are found by a function', () => {
    const retrievers = [scriptedRetriever()]
    expectError(() => createOptimizer({ retrievers, documents: [] as never }), 'bad-config', /documents/)
    expectError(() => createOptimizer({ retrievers, rerank: {} as never }), 'bad-config', 'rerank')
  })
})
