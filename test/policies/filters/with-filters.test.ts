import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { buildWinkBm25 } from '../../../adapters/search/wink-bm25.ts'
import { rankScore } from '../../../fusion/rank-score.ts'
import { filterPrompt } from '../../../policies/filters/prompt.ts'
import { withFilters } from '../../../policies/filters/with-filters.ts'
import { none } from '../../../policies/none.ts'
import { explain } from '../../../src/explain.ts'
import { createOptimizer, type OptimizerOptions } from '../../../src/optimizer.ts'
import type { Policy } from '../../../src/policy.ts'
import { parseTrace } from '../../../src/trace-schema.ts'
import type { ChatModel, GivenQuery, Retriever, SearchResult, Trace } from '../../../src/types.ts'
import { expectError } from '../../support/expect-error.ts'
import { manualClock } from '../../support/manual-clock.ts'
import {
  isListed,
  knownInShop,
  type meets,
  shopDocuments,
  shopFields,
  shopQueries,
} from '../../support/shop.ts'

type Facts = Parameters<typeof meets>[0]

const documents = shopDocuments()
const factsOf = new Map(documents.map(({ docid, metadata }) => [docid, metadata as Facts]))
const bm25 = await buildWinkBm25(documents)

const plain = createOptimizer({ retrievers: [bm25] })
const shop = (more: Partial<OptimizerOptions> = {}, policy: Policy = none()) =>
  createOptimizer({ retrievers: [bm25], policy: withFilters(policy, { fields: shopFields }), ...more })

const docidsIn = ({ hits }: SearchResult): string[] => hits.map(({ docid }) => docid)
const filterStep = ({ steps }: Trace) => steps.find((step) => step.type === 'filter')

/** A chat model that always answers this. */
const answering = (text: string): ChatModel => ({
  name: 'scripted',
  complete: async () => ({ text, tokens: { prompt: 1, completion: 1 } }),
})

describe('a search with filters', () => {
  it('shows first what passes, then the rest, and says which words became which filter', async () => {
    const { hits, trace } = await shop().search({ text: 'light trail runner under 100 euros', k: 800 })
    const prices = hits.map(({ docid }) => Number(factsOf.get(docid)!.price) < 100)
    const passing = prices.indexOf(false)
    expect(passing).toBeGreaterThan(10)
    expect(prices.slice(passing)).not.toContain(true)
    expect(filterStep(trace)).toMatchObject({
      read: [{ words: 'under 100 euros', condition: { field: 'price', lt: 100 } }],
    })
    expect(trace.kind).toBe('as-is')
    expect(trace.partial).toBe(false)
    expect(hits.map(({ rank }) => rank)).toEqual(hits.map((_, place) => place + 1))
    // The trace survives being written, and the scores can be explained from it.
    expect(parseTrace(JSON.parse(JSON.stringify(trace)), 'here')).toEqual(trace)
    for (const { fused, recomputed } of explain(trace, rankScore()))
      expect(recomputed).toBeCloseTo(fused!.score, 12)
  })

  it('is the search without filters if the query has none', async () => {
    const [one, other] = [await shop().search('light trail runner'), await plain.search('light trail runner')]
    expect(one.hits).toEqual(other.hits)
    expect(filterStep(one.trace)).toBeUndefined()
  })

  it('drops filters that nothing passes, and says so', async () => {
    const query = 'light trail runner under 5 euros'
    const { hits, trace } = await shop().search(query)
    expect(filterStep(trace)).toMatchObject({ read: [{ condition: { lt: 5 }, dropped: 'empty' }] })
    expect(hits.map(({ docid, score }) => [docid, score])).toEqual(
      (await plain.search(query)).hits.map(({ docid, score }) => [docid, score]),
    )
  })

  it('drops only the filter that is to blame, if there are several', async () => {
    const { hits, trace } = await shop().search('light trail runner for women under 5 euros')
    expect(filterStep(trace)).toMatchObject({
      read: [
        { condition: { field: 'audience', is: ['women'] } },
        { condition: { field: 'price', lt: 5 }, dropped: 'empty' },
      ],
    })
    expect(factsOf.get(hits[0]!.docid)!.audience).toBe('women')
  })

  it('lets retrievers that cannot filter search without, and says if none can', async () => {
    const { narrows: _, values: __, ...blind } = bm25
    const both = shop({ retrievers: [{ ...blind, name: 'blind' }, bm25] })
    const { trace, hits } = await both.search('light trail runner under 100 euros')
    const narrowed = trace.steps.flatMap((step) =>
      step.type === 'retrieve' && step.round > 0 ? step.legs : [],
    )
    expect(new Set(narrowed.map(({ retriever }) => retriever))).toEqual(new Set(['bm25']))
    expect(factsOf.get(hits[0]!.docid)!.price).toBeLessThan(100)

    const alone = shop({ retrievers: [blind] })
    const result = await alone.search('light trail runner under 100 euros')
    expect(filterStep(result.trace)).toMatchObject({ read: [{ dropped: 'unsupported' }] })
    expect(docidsIn(result)).toEqual(docidsIn(await plain.search('light trail runner under 100 euros')))
  })

  it('goes on without filters if the values are not known, or their search fails', async () => {
    const broken: Retriever = { ...bm25, values: () => Promise.reject(new Error('no aggregations')) }
    const query = 'light trail runner under 100 euros'
    const unknown = await shop({ retrievers: [broken] }).search(query)
    expect(filterStep(unknown.trace)).toMatchObject({ read: [], error: { message: 'no aggregations' } })
    expect(docidsIn(unknown)).toEqual(docidsIn(await plain.search(query)))

    const failing: Retriever = {
      ...bm25,
      retrieve: (subQueries, options) =>
        subQueries.some(({ where }) => where !== undefined)
          ? Promise.reject(new Error('no filters today'))
          : bm25.retrieve(subQueries, options),
    }
    const failed = await shop({ retrievers: [failing] }).search(query)
    expect(filterStep(failed.trace)).toMatchObject({ read: [{ dropped: 'failed' }] })
    expect(docidsIn(failed)).toEqual(docidsIn(await plain.search(query)))
    expect(failed.trace.partial).toBe(false)
  })

  it('does not wait longer for the values than for a retriever', async () => {
    const clock = manualClock()
    const silent: Retriever = { ...bm25, values: () => new Promise(() => {}) }
    const searching = shop({ retrievers: [silent], clock }).search('light trail runner under 100 euros')
    await clock.advance(2000)
    const { trace, hits } = await searching
    expect(filterStep(trace)).toMatchObject({ read: [], error: { code: 'deadline' } })
    expect(trace.fallback).toBeUndefined()
    expect(hits).toHaveLength(10)
  })

  it('keeps what passes in front after re-ranking, which never sees the filtered lists', async () => {
    let seen = 0
    const backwards = {
      rerank: (_: unknown, lists: readonly unknown[], fused: SearchResult['hits']) => {
        seen = lists.length
        return fused.toReversed().map((hit, place) => ({ ...hit, rank: place + 1, score: -place }))
      },
    }
    const { hits } = await shop({ rerank: backwards }).search({ text: 'trail runner under 100 euros', k: 20 })
    expect(seen).toBe(1)
    expect(hits).toHaveLength(20)
    for (const { docid } of hits.slice(0, 10)) expect(factsOf.get(docid)!.price).toBeLessThan(100)
  })

  it('leaves the sub-queries and the decision to the policy', async () => {
    const splitting: Policy = {
      name: 'splitting',
      run: async (_, tools) => ({
        hits: tools.fuse(
          await tools.retrieve([{ text: 'trail runner' }, { text: 'sandal' }], { reason: 'two' }),
        ),
      }),
    }
    const { hits, trace } = await shop({}, splitting).search('trail runner or sandal under 60 euros')
    expect(trace).toMatchObject({ kind: 'decompose', policy: 'splitting' })
    expect(trace.subQueries.map(({ text }) => text)).toEqual(['trail runner', 'sandal'])
    expect(hits.every(({ docid }) => Number(factsOf.get(docid)!.price) < 60)).toBe(true)
  })

  it('refuses fields that it does not understand', () => {
    const wrong = (fields: object) => () => withFilters(none(), { fields: fields as never })
    expectError(wrong({}), 'bad-config', /withFilters: fields/)
    expectError(wrong({ brand: { type: 'text' } }), 'bad-config', /withFilters: .*fields\.brand/)
    expectError(wrong({ brand: { type: 'keyword', operators: ['above'] } }), 'bad-config', /brand\.operators/)
  })
})

describe('200 queries of a shop', () => {
  it('finds a third more relevant hits, and never fewer for any query', async () => {
    const filtering = shop()
    const totals = { with: 0, without: 0 }
    const queries = shopQueries(documents)
    expect(queries).toHaveLength(200)
    for (const { text, relevant } of queries) {
      const count = (result: SearchResult) => docidsIn(result).filter((docid) => relevant.has(docid)).length
      const [without, filtered] = [count(await plain.search(text)), count(await filtering.search(text))]
      expect(filtered, text).toBeGreaterThanOrEqual(without)
      totals.without += without
      totals.with += filtered
    }
    expect(totals.with / totals.without).toBeGreaterThan(1.33)
  })

  it('loses no hit', async () => {
    const filtering = shop()
    for (const { text } of shopQueries(documents).slice(0, 8)) {
      const all = new Set(docidsIn(await filtering.search({ text, k: 1000 })))
      for (const docid of docidsIn(await plain.search({ text, k: 1000 }))) expect(all).toContain(docid)
    }
  })
})

describe("the caller's own filter", () => {
  it('holds for all hits and for what is known of the index, whatever is asked', async () => {
    const filters = fc.constantFrom<GivenQuery['filter']>(
      { brand: 'Aurora' },
      { price: { gte: 200 } },
      { audience: ['men', 'kids'], color: { not: 'red' } },
    )
    const texts = fc.constantFrom(...shopQueries(documents).map(({ text }) => text))
    await fc.assert(
      fc.asyncProperty(filters, texts, async (filter, text) => {
        const asked: string[] = []
        const watching: Retriever = {
          ...bm25,
          values: (wanted, options) => {
            asked.push(JSON.stringify(options.filter))
            return bm25.values!(wanted, options)
          },
        }
        const { hits } = await shop({ retrievers: [watching] }).search({ text, filter, k: 50 })
        const allowed = new Set(
          (await bm25.retrieve([{ text, round: 0 }], { k: 1000, filter }))[0]!.hits!.map(
            ({ docid }) => docid,
          ),
        )
        for (const { docid } of hits) expect(allowed).toContain(docid)
        expect(asked).toEqual([JSON.stringify(filter)])
      }),
      { numRuns: 25 },
    )
  })
})

describe('a chat model that reads filters', () => {
  const query = 'cheap sandal for the ladies, 80 euros at most, by aurora'
  const asking = (answer: string) =>
    createOptimizer({
      retrievers: [bm25],
      policy: withFilters(none(), { fields: shopFields, ask: true }),
      chat: answering(answer),
    })
  const read = async (answer: string, text = query) =>
    filterStep((await asking(answer).search(text)).trace)?.read

  it('chooses by number', async () => {
    const filters = [
      { field: 6, operator: 'at most', amount: 1, words: '80 euros at most' },
      { field: 1, operator: 'is', value: 1, words: 'by aurora' },
    ]
    const found = await read(JSON.stringify({ filters }))
    expect(found).toMatchObject([
      { words: '80 euros at most', condition: { field: 'price', lte: 80 } },
      { words: 'by aurora', condition: { field: 'brand', is: ['Aurora'] } },
    ])
    expect(await read('{"filters": []}')).toBeUndefined()
  })

  it.each([
    ['a fence', (json: string) => `\`\`\`json\n${json}\n\`\`\``],
    ['words with braces', (json: string) => `The fields {1} and {6}: ${json} {"done": true}`],
  ])('is read in %s', async (_, around) => {
    const filters = [{ field: 1, operator: 'is', value: 1, words: 'by aurora' }]
    expect(await read(around(JSON.stringify({ filters })))).toMatchObject([{ words: 'by aurora' }])
    expect(await read(around('{"filters": []}'))).toBeUndefined()
  })

  it.each([
    ['no JSON', 'brand: Aurora'],
    ['no such field', { field: 99, operator: 'is', value: 1, words: 'aurora' }],
    ['no such value', { field: 1, operator: 'is', value: 99, words: 'aurora' }],
    ['a value as text', { field: 1, operator: 'is', value: 'Aurora', words: 'aurora' }],
    ['a field as text', { field: 'brand', operator: 'is', value: 1, words: 'aurora' }],
    ['no such operator', { field: 1, operator: 'script', value: 1, words: 'aurora' }],
    ['an operator of another field', { field: 1, operator: 'at most', value: 1, words: 'aurora' }],
    ['no such amount', { field: 6, operator: 'at most', amount: 2, words: '80 euros' }],
    ['an amount of its own', { field: 6, operator: 'at most', number: 8, words: '80 euros' }],
    ['an amount in another unit', { field: 7, operator: 'at most', amount: 1, words: '80 euros' }],
    ['words of its own', { field: 1, operator: 'is', value: 1, words: 'Zephyr' }],
    ['more keys', { field: 1, operator: 'is', value: 1, words: 'aurora', query: { match_all: {} } }],
  ])('is refused for %s, and the words are read without it', async (_, filter) => {
    const answer = typeof filter === 'string' ? filter : JSON.stringify({ filters: [filter] })
    expect(await read(answer)).toMatchObject([
      { words: 'by aurora', condition: { field: 'brand', is: ['Aurora'] } },
    ])
  })

  it('cannot bring in anything that is not listed', async () => {
    const number = fc.integer({ min: -1, max: 12 })
    const whole = fc.oneof(number, fc.string({ maxLength: 5 }), fc.constant(undefined))
    const operator = fc.oneof(
      fc.constantFrom('is', 'not', 'under', 'at most', 'over', 'at least'),
      fc.string({ maxLength: 5 }),
    )
    const words = fc.oneof(fc.constantFrom('aurora', '80 euros', 'cheap'), fc.string({ maxLength: 8 }))
    const filters = fc.oneof(
      fc.record({ field: fc.constant(1), operator, value: number, words }),
      fc.record({ field: fc.constant(6), operator, amount: number, words }),
      fc.record({ field: whole, operator, value: whole, amount: whole, words }),
    )
    const answers = fc.oneof(
      fc.json({ maxDepth: 3 }),
      fc.string(),
      fc
        .array(filters, { maxLength: 3 })
        .map((all) => `\`\`\`json\n${JSON.stringify({ filters: all })}\n\`\`\``),
      filters.map((one) => JSON.stringify({ filters: [one] })),
    )
    const known = await knownInShop(shopFields)
    let chosen = 0
    fc.assert(
      fc.property(answers, (answer) => {
        let read: ReturnType<typeof filterPrompt.parse>
        try {
          read = filterPrompt.parse(answer, { text: query, known })
        } catch (error) {
          expect(error).toMatchObject({ code: 'bad-completion' })
          return
        }
        for (const { condition, words } of read) {
          expect(isListed(condition, query)).toBe(true)
          expect(query).toContain(words)
          chosen++
        }
      }),
      { numRuns: 2000 },
    )
    expect(chosen).toBeGreaterThan(0)
  })

  it('needs a chat model, and one prompt more', () => {
    const policy = withFilters(none(), { fields: shopFields, ask: true })
    expect(policy.prompts).toEqual(['filters'])
    expectError(() => createOptimizer({ retrievers: [bm25], policy }), 'bad-config', /"filters"/)
  })
})
