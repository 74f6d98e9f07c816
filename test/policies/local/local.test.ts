/** The local policy through the optimizer, with a real index of the sample collection. */

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { buildWinkBm25 } from '../../../adapters/search/wink-bm25.ts'
import { rankScore } from '../../../fusion/rank-score.ts'
import { consideredIn } from '../../../policies/local/decision/considered.ts'
import type { DecisionSection } from '../../../policies/local/decision/decision.ts'
import type { Effort } from '../../../policies/local/decision/effort.ts'
import { deciding, prepareDecide, secondStageLimit } from '../../../policies/local/local.ts'
import { defaultBudget } from '../../../src/budget.ts'
import { searchKey } from '../../../src/dedupe.ts'
import { readBeir } from '../../../src/evaluation/beir-folder.ts'
import { explain } from '../../../src/explain.ts'
import { createOptimizer, type OptimizerOptions } from '../../../src/optimizer.ts'
import { createReader } from '../../../src/text/reader.ts'
import { traceSchema } from '../../../src/trace-schema.ts'
import type { Document, Query, Retriever, SearchResult, Step, SubQuery, Trace } from '../../../src/types.ts'
import { expectError } from '../../support/expect-error.ts'
import { finderOf } from '../../support/finder.ts'
import { rerankerOf } from '../../support/local-reranker.ts'
import { conversation, foreignQuestions } from '../../support/question.ts'
import { sampleDocuments, sampleFolder, smallPolicy } from '../../support/small-policy.ts'
import { decisionBy, randomDecision } from '../../support/small-scorers.ts'

const { terms, decision, rerank } = await smallPolicy()
const documents = await sampleDocuments()
const byDocid = new Map(documents.map((document) => [document.docid, document]))
const findDocuments = finderOf(documents)
const { queries } = await readBeir(sampleFolder)
const bm25 = await buildWinkBm25(documents)
const sharedReader = createReader(terms)
const reranker = rerankerOf(rerank!, sharedReader)
const question = 'Who was born first, the director of The Seventh Seal or the director of Rear Window?'

const local = (...args: Parameters<typeof prepareDecide>) => deciding(prepareDecide(...args))

interface Counted extends Retriever {
  /** The texts of each request. */
  readonly requests: (readonly SubQuery[])[]
}

/** The retriever itself, and what it was asked for. */
function counted(retriever: Retriever): Counted {
  const requests: (readonly SubQuery[])[] = []
  return {
    ...retriever,
    requests,
    retrieve(subQueries, options) {
      requests.push(subQueries)
      return retriever.retrieve(subQueries, options)
    },
  }
}

interface Asked {
  readonly section?: DecisionSection
  readonly reranks?: boolean
  readonly effort?: Effort
  readonly options?: Partial<OptimizerOptions>
}

async function search(
  query: Query | string,
  { section = decision!, reranks = true, effort, options = {} }: Asked = {},
): Promise<SearchResult & { readonly retriever: Counted }> {
  const retriever = counted(bm25)
  const optimizer = createOptimizer({
    retrievers: [retriever],
    policy: local(section, sharedReader, { effort, reranks }),
    documents: findDocuments,
    ...(reranks && { rerank: reranker }),
    ...options,
  })
  return { ...(await optimizer.search(query)), retriever }
}

const docids = ({ hits }: SearchResult): string[] => hits.map(({ docid }) => docid)
const stepOf = <Type extends Step['type']>(trace: Trace, type: Type) =>
  trace.steps.find((step): step is Extract<Step, { type: Type }> => step.type === type)
/** Names and bridges of the question, whatever they are. */
const names = { 'plan: names and bridges': 1 }
/** Every plan loses more than a request costs. */
const nothing = { 'plan: conversation': -1, 'plan: parts': -1, 'plan: names and bridges': -1 }

function checkBudget(requests: readonly (readonly SubQuery[])[], query: Query): void {
  expect(requests.length).toBeLessThanOrEqual(2)
  expect(requests[0]?.map(({ text }) => text)).toEqual([query.text])
  const second = requests[1] ?? []
  expect(second.filter(({ from }) => from === undefined).length).toBeLessThanOrEqual(3)
  expect(second.filter(({ from }) => from !== undefined).length).toBeLessThanOrEqual(12)
  const keys = [query, ...second].map(({ text }) => searchKey(text))
  expect(new Set(keys).size).toBe(keys.length)
}

describe('what the local policy costs and tells', () => {
  const sections = [decision!, decisionBy(names), randomDecision(1), randomDecision(2)]
  it.each(queries.map((query, index) => [query.text, query, index] as const))(
    '%s',
    async (_, query, index) => {
      const { hits, trace, retriever } = await search(query, { section: sections[index % sections.length]! })
      checkBudget(retriever.requests, query)
      expect(trace.fallback).toBeUndefined()
      expect(traceSchema.safeParse(trace).error).toBeUndefined()
      const details = stepOf(trace, 'decide')?.details
      if (details !== undefined) expect(consideredIn(details)?.cost).toBe(0.02)
      expect(stepOf(trace, 'rerank')?.error).toBeUndefined()
      expect(trace.times.reranking).toBe(stepOf(trace, 'rerank')?.ms)
      expect(hits.map(({ rank }) => rank)).toEqual(hits.map((_hit, place) => place + 1))
      // Each hit that took part in the fusion keeps what it got there, and that can be computed again; the others have neither.
      for (const { fused, recomputed } of explain(trace, rankScore())) {
        if (fused === undefined) expect(recomputed).toBeUndefined()
        else expect(recomputed).toBeCloseTo(fused.score, 12)
      }
    },
  )

  it('leaves a query alone for one request', async () => {
    const { trace, retriever, ...result } = await search(question, {
      section: decisionBy({}),
      reranks: false,
    })
    expect(retriever.requests.map((request) => request.map(({ text }) => text))).toEqual([[question]])
    expect(trace).toMatchObject({ kind: 'as-is', subQueries: [{ text: question }] })
    expect(trace.reason).toMatch(/^unchanged: /)
    expect(docids({ trace, ...result })).toEqual(
      docids(await createOptimizer({ retrievers: [bm25] }).search(question)),
    )
  })

  it('leaves a query alone whatever it searches to re-rank from', async () => {
    const { trace, retriever } = await search(question, { section: decisionBy({}) })
    expect(retriever.requests[1]!.length).toBeGreaterThan(0)
    expect(trace).toMatchObject({ kind: 'as-is', subQueries: [{ text: question }] })
    expect(trace.reason).toMatch(/^unchanged: .*; \d+ more only for re-ranking$/)
  })

  it('searches what widens the pool only where something is re-ranked from it', async () => {
    const section = decisionBy(names)
    const alone = await search(question, { section, reranks: false })
    const chosen = alone.retriever.requests[1]!.map(({ text }) => text)
    expect(chosen.slice(0, 2)).toEqual(['Seventh Seal', 'Rear Window'])
    expect(alone.trace.times.reranking).toBe(0)
    const wider = await search(question, { section })
    expect(wider.retriever.requests[1]!.length).toBeGreaterThan(chosen.length)
    // The same lists vote.
    const voting = (trace: Trace) => stepOf(trace, 'fuse')?.lists.map(({ subQuery }) => subQuery.text)
    expect(voting(wider.trace)).toEqual([question, ...chosen])
    expect(voting(wider.trace)).toEqual(voting(alone.trace))
  })

  it('searches it where the query is left alone without certainty, too: then the query alone votes', async () => {
    const unsure = await search(question, { section: decisionBy({}) })
    checkBudget(unsure.retriever.requests, { text: question })
    expect(unsure.retriever.requests).toHaveLength(2)
    expect(stepOf(unsure.trace, 'fuse')?.lists.map(({ subQuery }) => subQuery.text)).toEqual([question])
    const sure = await search(question, { section: decisionBy(nothing) })
    expect(sure.retriever.requests).toHaveLength(1)
    expect(sure.trace.reason).toMatch(/^unchanged: /)
  })

  it('searches a rewrite of a conversation in place of the query, which does not vote', async () => {
    const query = {
      text: 'And who directed it?',
      history: conversation('Who composed Tosca?', 'Puccini.', 'Is Tosca a film?'),
    }
    const { trace, retriever } = await search(query, { section: decisionBy({ 'plan: conversation': 1 }) })
    checkBudget(retriever.requests, query)
    const texts = trace.subQueries.map(({ text }) => text)
    expect(texts.length).toBeGreaterThan(0)
    for (const text of texts) expect(text).toContain('Tosca')
    expect(stepOf(trace, 'fuse')?.lists.map(({ subQuery }) => subQuery.text)).toEqual(texts)
  })

  it('has no second stage where it may have none', async () => {
    const retriever = counted(bm25)
    const policy = local(decisionBy(names), createReader(terms), { maxSecondStage: 0 })
    const { trace } = await createOptimizer({
      retrievers: [retriever],
      policy,
      documents: findDocuments,
    }).search(question)
    expect(trace).toMatchObject({ kind: 'decompose' })
    expect(retriever.requests[1]?.every(({ from }) => from === undefined)).toBe(true)
    for (const maxSecondStage of [-1, 13, 1.5, Number.NaN])
      expectError(
        () => local(decisionBy({}), createReader(terms), { maxSecondStage }),
        'bad-config',
        'maxSecondStage',
      )
  })

  describe('a budget of fewer texts', () => {
    // Two or three texts of the question and three of bridges vote, as long as they may.
    const section = decisionBy(names)
    const searched = async (subQueries: number, reranks = true) => {
      const found = await search(question, { section, reranks, options: { budget: { subQueries } } })
      const { trace, retriever } = found
      expect(trace.fallback).toBeUndefined()
      return { ...found, voting: trace.subQueries.length, asked: retriever.requests[1]!.length }
    }

    it.each([1, 2, 3, 4])(
      'of %i: fewer texts of the plan are searched, whose results are re-ranked',
      async (most) => {
        for (const reranks of [true, false]) {
          const { voting, asked } = await searched(most, reranks)
          expect(voting).toBeLessThanOrEqual(asked)
          // Re-ranking uses what the plan leaves of the budget.
          if (reranks) expect(asked).toBe(most)
          else expect(asked).toBeLessThanOrEqual(most)
        }
        expect(stepOf((await searched(most)).trace, 'rerank')?.error).toBeUndefined()
      },
    )

    it('with room for the plan: fewer texts are searched beside it, the likeliest', async () => {
      const whole = await search(question, { section })
      expect(whole.retriever.requests[1]!.length).toBeGreaterThan(7)
      for (const most of [6, 7]) {
        const { trace, retriever } = await searched(most)
        expect(trace.subQueries).toEqual(whole.trace.subQueries)
        expect(retriever.requests[1]).toEqual(whole.retriever.requests[1]!.slice(0, most))
      }
    })

    it('is not the default one, which has room for all that it may want', () => {
      expect(defaultBudget.subQueries).toBeGreaterThanOrEqual(3 + secondStageLimit)
    })
  })

  it('is the same each time, in a reader of its own or in one that has read much', async () => {
    for (const query of queries.slice(10, 20).reverse()) {
      const reader = createReader(terms)
      const made = {
        policy: local(decision!, reader, { reranks: true }),
        rerank: rerankerOf(rerank!, reader),
      }
      const optimizer = createOptimizer({ retrievers: [bm25], documents: findDocuments, ...made })
      const [here, anew] = [await search(query), await optimizer.search(query)]
      expect(here.hits).toEqual(anew.hits)
      expect(here.trace.reason).toBe(anew.trace.reason)
      expect(stepOf(here.trace, 'decide')?.details).toEqual(stepOf(anew.trace, 'decide')?.details)
    }
  })

  it('searches sub-queries where they should bring what a request has to, by effort', async () => {
    const by = async (gain: number, effort?: Effort) => {
      const section = decisionBy({ 'plan: names and bridges': gain, 'plan: parts': -1 })
      const { trace } = await search(question, { section, reranks: false, ...(effort && { effort }) })
      return { kind: trace.kind, reason: trace.reason }
    }
    expect((await by(0.05)).kind).toBe('decompose')
    const few = await by(0.01)
    expect(few.kind).toBe('as-is')
    expect(few.reason).toMatch(/^unchanged: names and bridges: \+1\.0 points/)
    expect((await by(0.01, 'high')).reason).toMatch(/^names and bridges: \+1\.0 points/)
    expect((await by(0.04, 'low')).kind).toBe('as-is')
    expectError(() => local(decisionBy({}), sharedReader, { effort: 'all' as never }), 'bad-config', 'effort')
  })

  it('searches other languages as they are', async () => {
    for (const text of foreignQuestions) {
      const { trace, retriever } = await search(text, { section: decisionBy(names) })
      expect(retriever.requests).toHaveLength(1)
      expect(trace).toMatchObject({ kind: 'as-is' })
      expect(trace.fallback).toBeUndefined()
    }
  })
})

describe('when documents cannot be had', () => {
  it("the original's results are returned, labeled", async () => {
    const failing = async () => Promise.reject(new Error('the store is down'))
    const { trace, ...result } = await search(question, { options: { documents: failing } })
    expect(trace.fallback).toEqual({ code: 'Error', message: 'the store is down' })
    expect(trace.kind).toBe('as-is')
    expect(docids({ trace, ...result })).toEqual(
      docids(await createOptimizer({ retrievers: [bm25] }).search(question)),
    )
  })

  it('what is without a text stays where it was', async () => {
    const few = async (wanted: readonly string[]) =>
      wanted.map((docid) => (docid.length % 2 === 0 ? byDocid.get(docid) : undefined))
    for (const finding of [few, async (wanted: readonly string[]) => wanted.map(() => undefined)]) {
      const { trace, hits } = await search(question, { options: { documents: finding } })
      expect(trace.fallback).toBeUndefined()
      expect(stepOf(trace, 'rerank')?.error).toBeUndefined()
      expect(hits).toHaveLength(10)
    }
  })

  it('titles are no condition', async () => {
    const untitled = documents.map(({ title: _, ...document }) => document)
    const retriever = counted(await buildWinkBm25(untitled))
    const known = new Map(untitled.map((document) => [document.docid, document]))
    for (const query of queries.slice(10, 20)) {
      retriever.requests.length = 0
      const { trace, hits } = await createOptimizer({
        retrievers: [retriever],
        policy: local(decision!, sharedReader),
        rerank: reranker,
        documents: async (wanted) => wanted.map((docid) => known.get(docid)),
      }).search(query)
      expect(trace.fallback).toBeUndefined()
      expect(hits.length).toBeGreaterThan(0)
      checkBudget(retriever.requests, query)
    }
  })

  it("a search that is aborted meanwhile ends with the caller's reason", async () => {
    const controller = new AbortController()
    const signals: AbortSignal[] = []
    const optimizer = createOptimizer({
      retrievers: [bm25],
      policy: local(decision!, createReader(terms)),
      documents: (_, { signal }) => {
        signals.push(signal)
        controller.abort(new Error('no longer wanted'))
        return new Promise(() => {})
      },
    })
    await expect(optimizer.search(question, { signal: controller.signal })).rejects.toThrow(
      'no longer wanted',
    )
    expect(signals.map(({ aborted }) => aborted)).toEqual([true])
  })
})

it('whatever is asked, said before and found: two requests, fifteen sub-queries, and no error', async () => {
  const words = fc.constantFrom(
    'Ada',
    'Frost',
    'and',
    'or',
    'between',
    'both',
    'vs',
    'the',
    'who',
    'bridge',
    ',',
    '"',
    '?',
    '.',
  )
  const text = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 60 }),
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.array(words, { maxLength: 15 }).map((some) => some.join(' ')),
  )
  const filled = text.map((some) => `${some} bridge`)
  await fc.assert(
    fc.asyncProperty(
      text,
      fc.array(fc.record({ role: fc.constantFrom('user' as const, 'agent' as const), text }), {
        maxLength: 5,
      }),
      fc.array(fc.tuple(fc.option(text, { nil: undefined }), filled), { minLength: 1, maxLength: 8 }),
      fc.integer({ min: 1, max: 1000 }),
      async (asked, history, found, seed) => {
        const written = found.map(
          ([title, body], index): Document => ({
            docid: `d${index}`,
            ...(title !== undefined && { title }),
            text: body,
          }),
        )
        const retriever = counted(await buildWinkBm25(written))
        const query = { text: asked, history }
        const { trace } = await createOptimizer({
          retrievers: [retriever],
          policy: local(randomDecision(seed), sharedReader),
          rerank: reranker,
          documents: async (wanted) => wanted.map((docid) => written[Number(docid.slice(1))]),
        }).search(query)
        checkBudget(retriever.requests, query)
        expect(['no-hits', undefined]).toContain(trace.fallback?.code)
        expect(stepOf(trace, 'rerank')?.error).toBeUndefined()
      },
    ),
    { numRuns: 40 },
  )
})

describe('a title that is asked for', () => {
  const title = documents[0]!.title!

  it.each([title, `What is ${title}?`, `who is ${title.toLowerCase()}`])(
    '%s: is left alone',
    async (text) => {
      const { trace, hits, retriever } = await search(text, { section: decisionBy(names) })
      expect(trace.reason).toMatch(/title/)
      expect(retriever.requests).toHaveLength(1)
      expect(byDocid.get(hits[0]!.docid)?.title).toBe(title)
    },
  )

  it('is not one that stands in a longer question', async () => {
    const { trace } = await search(`Who built the ${title} and the Elbe?`, { section: decisionBy(names) })
    expect(trace.reason).not.toMatch(/title/)
  })
})
