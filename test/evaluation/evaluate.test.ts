import { EventEmitter, once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { evaluationRows } from '../../src/cli/output/evaluation-table.ts'
import { defaultMetrics } from '../../src/evaluation/default-metrics.ts'
import { evaluate, type Search } from '../../src/evaluation/evaluate.ts'
import type { Query, SearchResult, Trace } from '../../src/types.ts'
import { traceOf } from '../support/evaluated.ts'
import { expectError } from '../support/expect-error.ts'
import { hits } from '../support/scripted.ts'

const queries: readonly Query[] = [
  { qid: 'q1', text: 'one' },
  { qid: 'q2', text: 'two' },
  { qid: 'unjudged', text: 'three' },
  { qid: 'q3', text: 'four' },
]
const qrels = new Map([
  ['q1', new Map([['a', 1]])],
  ['q3', new Map([['b', 1]])],
  ['q2', new Map([['c', 2]])],
  ['elsewhere', new Map([['a', 1]])],
])

const found: Readonly<Record<string, readonly string[]>> = { q1: ['a', 'b'], q2: ['a', 'c'], q3: ['x'] }
const result = (query: Query, changes?: Partial<Trace>): SearchResult => ({
  hits: hits(...found[query.qid!]!).map((hit) => ({ ...hit, document: { docid: hit.docid, text: 'long' } })),
  trace: traceOf(query, changes),
})
const search: Search = async (query) => result(query)

describe('evaluate', () => {
  it('counts a document that a search returns twice as a failed search, not as two', async () => {
    const twice: Search = async (query) =>
      query.qid === 'q1' ? { ...result(query), hits: hits('a', 'b', 'a') } : result(query)
    const { values, errors } = await evaluate(twice, queries, qrels, { metrics: ['recall@5'] })
    expect([...values.get('recall@5')!]).toEqual([
      ['q1', 0],
      ['q2', 1],
      ['q3', 0],
    ])
    expect(errors.map(({ qid, error }) => [qid, error.message])).toEqual([
      ['q1', expect.stringMatching(/\bq1 .*\ba /)],
    ])
  })

  it('neither judges nor hands on the answer of a search that failed for its hits', async () => {
    const twice: Search = async (query) => ({
      ...result(query),
      answer: `answer to ${query.qid}`,
      ...(query.qid === 'q1' && { hits: hits('a', 'b', 'a') }),
    })
    const [judged, given]: [string[], string[]] = [[], []]
    const { errors, values } = await evaluate(twice, queries, qrels, {
      answers: new Map(['q1', 'q2'].map((qid) => [qid, [`answer to ${qid}`]])),
      judge: async (answer) => {
        judged.push(answer.given)
        return 1
      },
      onResult: (_result, qid) => void given.push(qid),
    })
    expect(errors.map(({ qid }) => qid)).toEqual(['q1'])
    expect(judged).toEqual(['answer to q2'])
    expect(given).toEqual(['q2', 'q3'])
    expect([...values.get('answered')!]).toEqual([
      ['q1', 0],
      ['q2', 1],
    ])
  })

  it('searches the judged queries and averages over them', async () => {
    const asked: Query[] = []
    const evaluation = await evaluate(
      async (query) => {
        asked.push(query)
        return result(query)
      },
      queries,
      qrels,
      { metrics: ['mrr', 'recall@1'], k: 7 },
    )
    expect(asked.map(({ qid, k }) => [qid, k])).toEqual([
      ['q1', 7],
      ['q2', 7],
      ['q3', 7],
    ])
    expect(evaluation.qids).toEqual(['q1', 'q2', 'q3'])
    expect([...evaluation.values.get('mrr')!]).toEqual([
      ['q1', 1],
      ['q2', 1 / 2],
      ['q3', 0],
    ])
    expect(evaluation.means.get('mrr')).toBeCloseTo((1 + 1 / 2 + 0) / 3, 15)
    expect(evaluation.means.get('recall@1')).toBeCloseTo(1 / 3, 15)
    expect(evaluation.unjudged).toBe(1)
    expect(evaluation.errors).toEqual([])
    expect(evaluation.run.get('q1')).toEqual(hits('a', 'b'))
  })

  it.each([
    [{}, 100],
    [{ k: 10 }, 10],
    [{ metrics: ['mrr', 'recall@1000'] }, 1000],
    [{ metrics: ['recall@1000', 'P_20'], k: 100 }, 1000],
    [{ metrics: ['recall@5'], k: 200 }, 200],
  ])('asks each search for as many hits as the metrics of %j look at', async (options, k) => {
    const asked = new Set<number | undefined>()
    const noting: Search = async (query) => {
      asked.add(query.k)
      return result(query)
    }
    await evaluate(noting, queries, qrels, options)
    expect([...asked]).toEqual([k])
  })

  it('gives the same whatever the concurrency, and no more searches run at a time', async () => {
    let running = 0
    let most = 0
    const delays: Record<string, number> = { q1: 3, q2: 1, q3: 2 }
    const slow: Search = async (query) => {
      running++
      most = Math.max(most, running)
      for (let turn = 0; turn < delays[query.qid!]!; turn++) await new Promise(setImmediate)
      running--
      return result(query)
    }
    const progress: (readonly [number, number])[] = []
    const one = await evaluate(search, queries, qrels)
    const two = await evaluate(slow, queries, qrels, {
      concurrency: 2,
      onProgress: (done, total) => progress.push([done, total]),
    })
    expect(most).toBe(2)
    expect(two).toEqual(one)
    expect([...two.run.keys()]).toEqual([...one.run.keys()])
    expect(progress).toEqual([
      [1, 3],
      [2, 3],
      [3, 3],
    ])
    expect([...two.means.keys()]).toEqual(defaultMetrics)
  })

  it('sums up the traces', async () => {
    const subQuery = { text: 's', round: 1 } as const
    const leg = { retriever: 'bm25', subQuery, status: 'ok', ms: 1 } as const
    const tokens = { prompt: 100, completion: 10 }
    const ask = { type: 'ask', prompt: 'p', model: 'm', startMs: 0, ms: 1, attempts: 1, tokens } as const
    const late = { code: 'deadline', message: 'late' }
    const changes: Record<string, Partial<Trace>> = {
      q1: {
        kind: 'rewrite',
        subQueries: [subQuery],
        steps: [
          ask,
          ask,
          { type: 'retrieve', round: 0, subQueries: [], startMs: 0, ms: 1, legs: [leg, leg] },
          { type: 'retrieve', round: 1, subQueries: [], startMs: 0, ms: 1, legs: [leg] },
          { type: 'rerank', startMs: 0, ms: 1, pool: 2 },
        ],
        tokens,
        times: { total: 10, deciding: 1, retrieving: 2, fusing: 3, reranking: 0 },
      },
      q2: {
        kind: 'decompose',
        subQueries: [subQuery, { ...subQuery, from: 'd' }],
        steps: [{ type: 'rerank', startMs: 0, ms: 1, pool: 2, error: late }],
        tokens: { prompt: 1, completion: 1 },
        times: { total: 20, deciding: 2, retrieving: 2, fusing: 3, reranking: 0 },
      },
      q3: {
        fallback: late,
        times: { total: 40, deciding: 6, retrieving: 2, fusing: 3, reranking: 0 },
      },
    }
    const { summary } = await evaluate(async (query) => result(query, changes[query.qid!]), queries, qrels, {
      metrics: ['mrr'],
    })
    expect(summary).toEqual({
      queries: 3,
      metrics: { mrr: 0.5 },
      decisions: { 'as-is': 1, rewrite: 1, decompose: 1 },
      // q1 searched once more, q3 fell back.
      leftAlone: 0,
      oneRequest: 2,
      legs: 3,
      subQueries: 3,
      rounds: 1,
      asks: 2,
      tokens: { prompt: 101, completion: 11 },
      latency_ms: {
        // Position 0.95 · (3 − 1) = 1.9 in ascending order: 20 + 0.9 · (40 − 20).
        total: { p50: 20, p95: 38 },
        deciding: { p50: 2, p95: 5.6 },
        retrieving: { p50: 2, p95: 2 },
        fusing: { p50: 3, p95: 3 },
        reranking: { p50: 0, p95: 0 },
      },
      failures: 1,
      errors: 0,
      rerankings: 2,
      failedRerankings: 1,
    })
  })

  it('tells what each way of a policy cost and found, the most frequent first', async () => {
    const tokens = { prompt: 100, completion: 10 }
    const ask = { type: 'ask', prompt: 'p', model: 'm', startMs: 0, ms: 1, attempts: 1, tokens } as const
    const way = (strategy: string, asks: number): Partial<Trace> => ({
      steps: Array.from({ length: asks }, () => ask),
      outcome: { hits: [], strategy },
    })
    const changes: Record<string, Partial<Trace>> = {
      q1: way('[Planning]', 10),
      q2: way('[Retrieval]', 3),
      q3: way('[Retrieval]', 2),
    }
    const { summary } = await evaluate(async (query) => result(query, changes[query.qid!]), queries, qrels, {
      metrics: ['mrr'],
    })
    // The relevant documents of q1, q2 and q3 are at ranks 1 and 2, and nowhere.
    expect(Object.entries(summary.strategies!)).toEqual([
      ['[Retrieval]', { queries: 2, asks: 2.5, metrics: { mrr: 0.25 } }],
      ['[Planning]', { queries: 1, asks: 10, metrics: { mrr: 1 } }],
    ])
    expect(evaluationRows(summary)).toContainEqual([
      '[Retrieval]',
      '2 of the queries, 2.50 prompts, mrr 0.2500',
    ])
  })

  it('gives each whole result in the order of the queries, though the first comes last', async () => {
    const others = new EventEmitter()
    const given: unknown[] = []
    let searched = 0
    await evaluate(
      async (query) => {
        if (query.qid === 'q1') await once(others, 'searched')
        if (++searched === 2) others.emit('searched')
        return result(query)
      },
      queries,
      qrels,
      { concurrency: 2, onResult: ({ trace: whole }, qid) => void given.push([qid, whole.steps]) },
    )
    expect(given).toEqual([
      ['q1', []],
      ['q2', []],
      ['q3', []],
    ])
  })

  it('ends where a result cannot be taken', async () => {
    const full = new Error('the disk is full')
    const onResult = () => Promise.reject(full)
    await expect(evaluate(search, queries, qrels, { concurrency: 3, onResult })).rejects.toBe(full)
  })

  it('sends no further search after its end', async () => {
    let searches = 0
    const many = Array.from({ length: 20 }, (_, index) => ({ qid: `q${index}`, text: 'one' }))
    const counted: Search = async (query) => {
      await new Promise(setImmediate)
      searches++
      return { ...result({ ...query, qid: 'q1' }), answer: 'a' }
    }
    const ending = evaluate(counted, many, new Map(many.map(({ qid }) => [qid, new Map([['a', 1]])])), {
      concurrency: 4,
      answers: new Map([['q0', ['a']]]),
      judge: () => Promise.reject(new Error('the judge is gone')),
    })
    await expect(ending).rejects.toThrow('the judge is gone')
    for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate)
    // Those that were under way.
    expect(searches).toBeLessThanOrEqual(4)
  })

  it('counts a search that failed with no hits', async () => {
    const broken = new Error('down')
    const evaluation = await evaluate(
      async (query) => {
        if (query.qid === 'q1') throw broken
        return result(query)
      },
      queries,
      qrels,
      { metrics: ['mrr'] },
    )
    expect(evaluation.errors).toEqual([{ qid: 'q1', error: broken }])
    expect(evaluation.run.get('q1')).toEqual([])
    expect(evaluation.values.get('mrr')?.get('q1')).toBe(0)
    expect(evaluation.traces.map((one) => one.query.qid)).toEqual(['q2', 'q3'])
    expect(evaluation.summary).toMatchObject({ queries: 3, errors: 1, failures: 0 })
  })

  it('throws where every search failed, with the first error', async () => {
    const evaluation = evaluate(
      async ({ qid }) => {
        throw new Error(`no ${qid}`)
      },
      queries,
      qrels,
    )
    await expect(evaluation).rejects.toMatchObject({
      code: 'retriever-failed',
      message: expect.stringMatching(/\(3\).*no q1/),
      cause: new Error('no q1'),
    })
  })

  it('stops when it is aborted, and hands the signal on', async () => {
    const controller = new AbortController()
    const asked: string[] = []
    const evaluation = evaluate(
      async (query, { signal }) => {
        asked.push(query.qid!)
        controller.abort(new Error('enough'))
        signal?.throwIfAborted()
        return result(query)
      },
      queries,
      qrels,
      { signal: controller.signal },
    )
    await expect(evaluation).rejects.toMatchObject({ code: 'aborted', cause: new Error('enough') })
    expect(asked).toEqual(['q1'])
  })

  it('refuses wrong options before it searches', async () => {
    const never: Search = () => {
      throw new Error('searched')
    }
    await expectError(evaluate(never, queries, qrels, { metrics: ['ndgc'] }), 'bad-config', /"ndgc"/)
    await expectError(evaluate(never, queries, qrels, { k: 0 }), 'bad-config', /\bk\b/)
    await expectError(evaluate(never, queries, qrels, { concurrency: 0.5 }), 'bad-config', /concurrency/)
    await expectError(evaluate(never, queries, new Map()), 'bad-config', /\(4\)/)
  })
})
