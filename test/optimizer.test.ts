import { describe, expect, it } from 'vitest'
import { acqo } from '../policies/acqo/acqo.ts'
import { QuerentError } from '../src/errors.ts'
import { createOptimizer, type OptimizerOptions } from '../src/optimizer.ts'
import type { Policy } from '../src/policy.ts'
import { traceSchema } from '../src/trace-schema.ts'
import type { Outcome, Query, Retriever, SearchResult, Step, SubQuery } from '../src/types.ts'
import { type ManualClock, manualClock, settled } from './support/manual-clock.ts'
import { hits, scriptedChat, scriptedRetriever } from './support/scripted.ts'
import { deciding } from './support/scripted-policy.ts'

const docids = (result: SearchResult): string[] => result.hits.map(({ docid }) => docid)
const stepsOf = <Type extends Step['type']>(result: SearchResult, type: Type) =>
  result.trace.steps.filter((step): step is Extract<Step, { type: Type }> => step.type === type)
const found = { who: ['a', 'b'], first: ['c', 'a'], second: ['d'] }
const split = JSON.stringify({ query: 'first %% second' })

describe('what a search costs', () => {
  it('as-is is one call a retriever, at once', async () => {
    const [bm25, dense] = [scriptedRetriever({ found }), scriptedRetriever({ name: 'dense', found })]
    const optimizer = createOptimizer({ retrievers: [bm25, dense] })
    const searching = optimizer.search('who')
    expect(bm25.calls.map(({ texts }) => texts)).toEqual([['who']]) // before anything was awaited
    const result = await searching
    expect(docids(result)).toEqual(['a', 'b'])
    expect([bm25.calls.length, dense.calls.length]).toEqual([1, 1])
    expect(result.trace).toMatchObject({ policy: 'none', kind: 'as-is', partial: false })
  })

  it('sub-queries are one more call a retriever, beside the original, which is sent while the model is asked', async () => {
    const clock = manualClock()
    const retrievers = [scriptedRetriever({ found }), scriptedRetriever({ name: 'dense', found })]
    const chat = scriptedChat([split], { ms: 500, clock })
    const searching = createOptimizer({ retrievers, policy: acqo(), chat, clock }).search('who')
    await clock.advance(499)
    expect(retrievers.map(({ calls }) => calls.length)).toEqual([1, 1])
    await clock.advance(1)
    const result = await searching
    for (const { calls } of retrievers)
      expect(calls.map(({ texts }) => texts)).toEqual([['who'], ['first', 'second']])
    expect(result.trace).toMatchObject({ kind: 'decompose', tokens: { prompt: 10, completion: 5 } })
    expect(docids(result)).toEqual(['c', 'd', 'a']) // c and d lead a list each; the original has no vote
  })

  it('the original among the sub-queries is not searched twice', async () => {
    const bm25 = scriptedRetriever({ found })
    const chat = scriptedChat([JSON.stringify({ query: ' WHO %% first' })])
    const result = await createOptimizer({ retrievers: [bm25], policy: acqo(), chat }).search('who')
    expect(bm25.calls.map(({ texts }) => texts)).toEqual([['who'], ['first']])
    expect(docids(result)).toEqual(['a', 'c', 'b']) // a: 1 + 1/2, c: 1, b: 1/2
  })

  it('a query that the model keeps is request 1 alone', async () => {
    const bm25 = scriptedRetriever({ found })
    const chat = scriptedChat([JSON.stringify({ query: 'who' })])
    const result = await createOptimizer({ retrievers: [bm25], policy: acqo(), chat }).search('who')
    expect(bm25.calls).toHaveLength(1)
    expect(result.trace.kind).toBe('as-is')
    expect(docids(result)).toEqual(['a', 'b'])
  })

  it('a second batch after the sub-queries does not exist, nor more than 15 sub-queries', async () => {
    const greedy = (count: number): Policy => ({
      name: 'greedy',
      async run(_query, tools) {
        await tools.retrieve([{ text: 'first' }], { reason: 'one' })
        const more = Array.from({ length: count }, (_, index) => ({ text: `more ${index}` }))
        return { hits: tools.fuse(await tools.retrieve(more, { reason: 'more' })) }
      },
    })
    const bm25 = scriptedRetriever({ found })
    const result = await createOptimizer({ retrievers: [bm25], policy: greedy(1) }).search('who')
    expect(result.trace.fallback?.code).toBe('too-deep')
    expect(bm25.calls).toHaveLength(2)
    const tooMany: Policy = {
      name: 'many',
      run: async (_query, tools) => {
        const many = Array.from({ length: 16 }, (_, index) => ({ text: `q${index}` }))
        return { hits: tools.fuse(await tools.retrieve(many, { reason: 'many' })) }
      },
    }
    const cut = await createOptimizer({ retrievers: [scriptedRetriever({ found })], policy: tooMany }).search(
      'who',
    )
    expect(cut.trace.fallback?.code).toBe('too-deep')
  })

  it('legs are as deep as `depth`, whatever k is, and k cuts the result', async () => {
    const bm25 = scriptedRetriever({ found })
    const optimizer = createOptimizer({ retrievers: [bm25], depth: 50 })
    expect(docids(await optimizer.search({ text: 'who', k: 1 }))).toEqual(['a'])
    expect(docids(await optimizer.search({ text: 'who', k: 1 }, { k: 2 }))).toEqual(['a', 'b'])
    expect(bm25.calls.map(({ options }) => options.k)).toEqual([50, 50])
  })

  it('a search for more than 100 hits asks each leg for as many, and finds them', async () => {
    const many = Array.from({ length: 400 }, (_, place) => `d${place}`)
    const bm25 = scriptedRetriever({ found: { who: many } })
    for (const depth of [undefined, 50, 350]) {
      const { search } = createOptimizer({ retrievers: [bm25], depth })
      expect((await search({ text: 'who', k: 100 })).hits).toHaveLength(Math.min(depth ?? 100, 100))
      expect(docids(await search({ text: 'who', k: 300 }))).toEqual(many.slice(0, 300))
    }
    expect(bm25.calls.map(({ options }) => options.k)).toEqual([100, 300, 50, 300, 350, 350])
    const usual = createOptimizer({ retrievers: [bm25], k: 200 })
    expect(docids(await usual.search('who'))).toEqual(many.slice(0, 200))
  })
})

describe('the original votes only when asked to', () => {
  it.each([
    [false, ['c', 'd', 'a']],
    // a: 1 (original) + 1/2; c and d: 1 each, c's best score 2 before d's 1; b: 1/2
    [true, ['a', 'c', 'd', 'b']],
  ])('withOriginal: %s', async (withOriginal, expected) => {
    const optimizer = createOptimizer({
      retrievers: [scriptedRetriever({ found })],
      policy: acqo({ withOriginal }),
      chat: scriptedChat([split]),
    })
    expect(docids(await optimizer.search('who'))).toEqual(expected)
  })

  it('does not wait for an original that does not vote, and aborts it', async () => {
    const clock = manualClock()
    const slow = scriptedRetriever({ found, ms: 1000, clock })
    const retriever = {
      ...slow,
      retrieve: async (...[subQueries, options]: Parameters<typeof slow.retrieve>) =>
        subQueries[0]?.text === 'who'
          ? slow.retrieve(subQueries, options)
          : scriptedRetriever({ found }).retrieve(subQueries, options),
    }
    const optimizer = createOptimizer({
      retrievers: [retriever],
      policy: acqo(),
      chat: scriptedChat([split]),
      clock,
    })
    const result = await optimizer.search('who')
    expect(result.trace.times.total).toBe(0)
    expect(result.trace.partial).toBe(false)
    expect(stepsOf(result, 'retrieve')[0]?.legs[0]?.status).toBe('aborted')
    expect(slow.calls[0]?.options.signal?.aborted).toBe(true)
    expect(optimizer.dropped).toBe(0)
    await clock.advance(1000) // the native call ends by itself
    expect(optimizer.dropped).toBe(1)
  })
})

describe('a rewriter that does not do its work gives the original query’s results, labelled', () => {
  const outcomes: readonly [string, readonly (string | Error)[], string][] = [
    ['is down', [new QuerentError('chat-failed', 'connection refused')], 'chat-failed'],
    ['fails in its own way', [new TypeError('odd')], 'TypeError'],
    ['talks nonsense twice', ['hello', 'hello again'], 'bad-completion'],
    ['answers with an empty query', ['{"query": " %% "}', '{"query": ""}'], 'bad-completion'],
    ['writes sub-queries that find nothing', ['{"query": "zzz"}'], 'no-hits'],
  ]
  it.each(outcomes)('%s', async (_name, answers, code) => {
    const result = await search({ policy: acqo(), chat: scriptedChat(answers) })
    expect(docids(result)).toEqual(['a', 'b'])
    expect(result.trace).toMatchObject({ kind: 'as-is', fallback: { code } })
    expect(result.trace.reason).toContain('fell back')
    expect(stepsOf(result, 'fallback')).toHaveLength(1)
  })

  it('repairs its first answer', async () => {
    const chat = scriptedChat(['Sure! first', split])
    const result = await search({ policy: acqo(), chat })
    expect(result.trace.fallback).toBeUndefined()
    expect(stepsOf(result, 'ask')[0]).toMatchObject({
      attempts: 2,
      tokens: { prompt: 20, completion: 10 },
      output: split,
    })
    expect(chat.calls[1]?.messages.slice(-2).map(({ role }) => role)).toEqual(['assistant', 'user'])
  })

  it('is late: its deadline is its own, and the call is aborted', async () => {
    const clock = manualClock()
    const chat = scriptedChat([split], { ms: 10_000, clock })
    const searching = search({ policy: acqo(), chat, clock })
    await clock.advance(2999)
    expect(chat.calls[0]?.signal?.aborted).toBe(false)
    await clock.advance(1)
    const result = await searching
    expect(docids(result)).toEqual(['a', 'b'])
    expect(result.trace.fallback).toMatchObject({ code: 'deadline' })
    expect(result.trace.times.total).toBe(3000)
    expect(chat.calls[0]?.signal?.aborted).toBe(true)
  })

  it('a policy that ignores its signal is given up at the deadline of the search', async () => {
    const clock = manualClock()
    const stuck: Policy = { name: 'stuck', run: () => new Promise(() => {}) }
    const searching = search({ policy: stuck, clock, budget: { timeout: 5000 } })
    await clock.advance(5000)
    const result = await searching
    expect(docids(result)).toEqual(['a', 'b'])
    expect(result.trace.fallback?.code).toBe('deadline')
  })

  it('a policy that finds nothing where the query as it is does', async () => {
    const empty: Policy = { name: 'empty', run: async () => ({ hits: [] }) }
    const result = await search({ policy: empty })
    expect(docids(result)).toEqual(['a', 'b'])
    expect(result.trace.fallback?.code).toBe('no-hits')
  })

  it('a policy that lets go of a tool’s promise does not end the process', async () => {
    const careless: Policy = {
      name: 'careless',
      async run(_query, tools) {
        const asking = tools.ask({ name: 'p', render: () => [], parse: () => '' }, undefined)
        void tools.retrieve([], { reason: 'once' })
        void tools.retrieve([], { reason: 'twice' })
        const legs = await tools.original()
        await settled()
        await asking
        return { hits: tools.fuse(legs) }
      },
    }
    const unhandled: unknown[] = []
    const note = (reason: unknown): void => void unhandled.push(reason)
    process.on('unhandledRejection', note)
    const result = await search({ policy: careless, chat: scriptedChat([new Error('down')]) })
    await settled()
    process.off('unhandledRejection', note)
    expect(result.trace.fallback?.message).toBe('down')
    expect(unhandled).toEqual([])
  })

  it('a policy that returns more than was asked for is cut', async () => {
    const generous: Policy = {
      name: 'generous',
      run: async () => ({ hits: hits('a', 'b', 'c'), extra: 1 }) as unknown as Outcome,
    }
    const result = await createOptimizer({ retrievers: [scriptedRetriever()], policy: generous }).search(
      'who',
      { k: 2 },
    )
    expect(docids(result)).toEqual(['a', 'b'])
    expect(Object.keys(result).sort()).toEqual(['hits', 'trace'])
    expect(traceSchema.safeParse(result.trace).error).toBeUndefined()
  })

  it('a policy that throws at once is no different', async () => {
    const broken: Policy = {
      name: 'broken',
      run() {
        throw new RangeError('bug')
      },
    }
    expect((await search({ policy: broken })).trace.fallback).toEqual({ code: 'RangeError', message: 'bug' })
  })

  function search(options: Omit<OptimizerOptions, 'retrievers'>): Promise<SearchResult> {
    return createOptimizer({ retrievers: [scriptedRetriever({ found })], ...options }).search('who')
  }
})

describe('legs that fail or are late are left out and labelled', () => {
  it('one retriever of two fails', async () => {
    const boom = new Error('shard on fire')
    const retrievers = [scriptedRetriever({ found }), scriptedRetriever({ name: 'dense', fails: boom })]
    const result = await createOptimizer({ retrievers }).search('who')
    expect(docids(result)).toEqual(['a', 'b'])
    expect(result.trace.partial).toBe(true)
    expect(stepsOf(result, 'retrieve')[0]?.legs).toMatchObject([
      { retriever: 'bm25', status: 'ok', hits: [{ docid: 'a' }, { docid: 'b' }] },
      { retriever: 'dense', status: 'failed', error: { code: 'Error', message: 'shard on fire' } },
    ])
  })

  it('one retriever of two is late: the other’s hits at the leg’s deadline', async () => {
    const clock = manualClock()
    const late = scriptedRetriever({ name: 'dense', found, ms: 60_000, clock })
    const searching = createOptimizer({ retrievers: [scriptedRetriever({ found }), late], clock }).search(
      'who',
    )
    await clock.advance(2000)
    const result = await searching
    expect(docids(result)).toEqual(['a', 'b'])
    expect(result.trace.partial).toBe(true)
    expect(stepsOf(result, 'retrieve')[0]?.legs[1]).toMatchObject({ status: 'late', ms: 2000 })
    expect(late.calls[0]?.options.signal?.aborted).toBe(true)
  })

  it('one sub-query of two fails', async () => {
    const bm25 = scriptedRetriever({ found: { ...found, second: new Error('too long') } })
    const result = await createOptimizer({
      retrievers: [bm25],
      policy: acqo(),
      chat: scriptedChat([split]),
    }).search('who')
    expect(docids(result)).toEqual(['c', 'a'])
    expect(result.trace).toMatchObject({ kind: 'decompose', partial: true })
    expect(result.trace.fallback).toBeUndefined()
  })

  it('all sub-queries fail: the original’s results', async () => {
    const failing = { ...found, first: new Error('no'), second: new Error('no') }
    const optimizer = createOptimizer({
      retrievers: [scriptedRetriever({ found: failing })],
      policy: acqo(),
      chat: scriptedChat([split]),
    })
    const result = await optimizer.search('who')
    expect(docids(result)).toEqual(['a', 'b'])
    expect(result.trace.fallback).toEqual({ code: 'Error', message: 'no' })
  })

  it('the deadline of the search comes during request 2: what is there is fused', async () => {
    const clock = manualClock()
    const slow = scriptedRetriever({ name: 'slow', found, ms: 1500, clock })
    const optimizer = createOptimizer({
      retrievers: [scriptedRetriever({ found }), slow],
      policy: acqo(),
      chat: scriptedChat([split], { ms: 1000, clock }),
      budget: { timeout: 2000 },
      clock,
    })
    const searching = optimizer.search('who')
    await clock.advance(2000)
    const result = await searching
    expect(docids(result)).toEqual(['c', 'd', 'a'])
    expect(result.trace).toMatchObject({ kind: 'decompose', partial: true, times: { total: 2000 } })
    expect(stepsOf(result, 'retrieve')[1]?.legs.map(({ status }) => status)).toEqual([
      'ok',
      'ok',
      'late',
      'late',
    ])
  })

  it('a score that is no number is a failed leg that names list and docid', async () => {
    const bad = { ...scriptedRetriever({ name: 'dense' }) }
    bad.retrieve = async ([subQuery]) => [
      { retriever: 'dense', subQuery: subQuery!, hits: [{ docid: 'x', score: Number.NaN, rank: 1 }] },
    ]
    const result = await createOptimizer({ retrievers: [scriptedRetriever({ found }), bad] }).search('who')
    expect(docids(result)).toEqual(['a', 'b'])
    const leg = stepsOf(result, 'retrieve')[0]?.legs[1]
    expect(leg?.error).toMatchObject({
      code: 'bad-list',
      message: expect.stringMatching(/"dense".*"who".*"x" is NaN/),
    })
  })

  it('a sub-query that a retriever left out is a failed leg', async () => {
    const forgetful = { ...scriptedRetriever({ name: 'dense' }), retrieve: async () => [] }
    const result = await createOptimizer({ retrievers: [scriptedRetriever({ found }), forgetful] }).search(
      'who',
    )
    expect(result.trace.partial).toBe(true)
  })

  const wrongAnswers: readonly [string, unknown, string][] = [
    ['no list', undefined, 'retriever-failed'],
    ['a leg without hits and error', [{ retriever: 'dense', subQuery: { text: 'who' } }], 'retriever-failed'],
    [
      'an error of null beside no hits',
      [{ retriever: 'dense', subQuery: { text: 'who' }, error: null }],
      'retriever-failed',
    ],
    ['an error that is a text', [{ retriever: 'dense', subQuery: { text: 'who' }, error: 'boom' }], 'Error'],
    [
      'a docid that is a number',
      [{ retriever: 'dense', subQuery: { text: 'who' }, hits: [{ docid: 7, score: 1 }] }],
      'bad-list',
    ],
    [
      'a leg nobody asked for',
      [{ retriever: 'dense', subQuery: { text: 'other' }, hits: hits('x') }],
      'retriever-failed',
    ],
    ['null', [null], 'retriever-failed'],
    [
      'the name of another retriever',
      [{ retriever: 'bm25', subQuery: { text: 'who' }, hits: hits('x') }],
      'bad-list',
    ],
  ]
  it.each(wrongAnswers)('a retriever that answers with %s is a failed leg', async (_name, answer, code) => {
    const wrong = { name: 'dense', retrieve: async () => answer } as unknown as Retriever
    const result = await createOptimizer({ retrievers: [scriptedRetriever({ found }), wrong] }).search('who')
    expect(docids(result)).toEqual(['a', 'b'])
    expect(result.trace.partial).toBe(true)
    expect(stepsOf(result, 'retrieve')[0]?.legs[1]).toMatchObject({ status: 'failed', error: { code } })
    expect(traceSchema.safeParse(result.trace).error).toBeUndefined()
  })

  it('a leg that comes twice is a failed leg: what it gave to a hit could not be told', async () => {
    const leg = { retriever: 'dense', subQuery: { text: 'who', round: 1 }, hits: hits('a') }
    const twice: Retriever = { name: 'dense', retrieve: async () => [leg, leg] }
    const result = await createOptimizer({ retrievers: [twice] }).search('who')
    expect(stepsOf(result, 'retrieve')[0]?.legs.map(({ status }) => status)).toEqual(['ok', 'failed'])
  })

  it('a retriever that changes its sub-queries changes its own copies', async () => {
    const careless = scriptedRetriever({ found })
    const result = await createOptimizer({
      retrievers: [
        {
          name: 'bm25',
          async retrieve(subQueries, options) {
            const legs = await careless.retrieve(subQueries, options)
            for (const subQuery of subQueries) Object.assign(subQuery, { text: 'changed' })
            return legs.map((leg) => ({ ...leg, subQuery: { text: 'who', round: 0 } }))
          },
        },
      ],
    }).search('who')
    expect(result.trace.subQueries).toEqual([{ text: 'who', round: 0 }])
    expect(docids(result)).toEqual(['a', 'b'])
  })

  it('no hits are a result, not a failure', async () => {
    const result = await createOptimizer({ retrievers: [scriptedRetriever()] }).search('unknown')
    expect(result.hits).toEqual([])
    expect(result.trace).toMatchObject({ partial: false, kind: 'as-is' })
    expect(result.trace.fallback).toBeUndefined()
  })
})

describe('errors that the caller sees', () => {
  it('the retriever’s own, when the original failed on every retriever', async () => {
    const boom = Object.assign(new Error('no shards', { cause: 'disk' }), { statusCode: 503 })
    const retrievers = [
      scriptedRetriever({ fails: boom }),
      scriptedRetriever({ name: 'dense', fails: new Error('other') }),
    ]
    await expect(createOptimizer({ retrievers }).search('who')).rejects.toBe(boom)
    const chat = scriptedChat([new Error('also down')])
    await expect(createOptimizer({ retrievers, policy: acqo(), chat }).search('who')).rejects.toBe(boom)
  })

  it('a late original everywhere is a deadline', async () => {
    const clock = manualClock()
    const searching = createOptimizer({ retrievers: [scriptedRetriever({ ms: 9999, clock })], clock }).search(
      'who',
    )
    const seen = expect(searching).rejects.toMatchObject({
      code: 'deadline',
      message: expect.stringContaining('2000 ms'),
    })
    await clock.advance(2000)
    await seen
  })

  it('sub-queries that were found although the original failed are an answer', async () => {
    const bm25 = scriptedRetriever({ found: { ...found, who: new Error('no') } })
    const result = await createOptimizer({
      retrievers: [bm25],
      policy: acqo(),
      chat: scriptedChat([split]),
    }).search('who')
    expect(docids(result)).toEqual(['c', 'd', 'a'])
  })

  it.each([
    [{ retrievers: [] }, 'retrievers'],
    [{ retrievers: [scriptedRetriever(), scriptedRetriever()] }, 'same name'],
    [{ retrievers: [scriptedRetriever()], k: 0 }, 'k'],
    [{ retrievers: [scriptedRetriever()], timeuot: 3 }, 'timeuot'],
    [{ retrievers: [{ name: 'x' }] }, 'retrieve()'],
  ])('a wrong option is named when the optimizer is made: %#', (options, named) => {
    expect(() => createOptimizer(options as unknown as OptimizerOptions)).toThrowError(
      expect.objectContaining({ code: 'bad-config', message: expect.stringContaining(named) }),
    )
  })

  it('a query that is none is named', async () => {
    const optimizer = createOptimizer({ retrievers: [scriptedRetriever()] })
    await expect(optimizer.search({ text: 3 } as unknown as string)).rejects.toMatchObject({
      code: 'bad-config',
    })
    await expect(optimizer.search('who', { k: 1.5 })).rejects.toMatchObject({ code: 'bad-config' })
  })
})

describe('the end of a search', () => {
  const policyOf = (run: Policy['run']): Policy => ({ name: 'test', run })

  it('lets go of what the policy did not wait for, and the trace has it', async () => {
    const slow: Retriever = {
      name: 'slow',
      retrieve: (_, { signal }) =>
        new Promise((_, reject) => signal!.addEventListener('abort', () => reject(new Error('let go')))),
    }
    const policy = policyOf(async () => ({ hits: hits('a') }))
    const result = await createOptimizer({ retrievers: [slow], policy }).search('who')
    expect(docids(result)).toEqual(['a'])
    expect(stepsOf(result, 'retrieve')[0]?.legs).toMatchObject([{ status: 'aborted' }])
  })

  it('is told to a policy that has work of its own', async () => {
    let own: AbortSignal | undefined
    const policy = policyOf(async (_, tools) => {
      own = tools.signal
      return { hits: tools.fuse(await tools.original()) }
    })
    await createOptimizer({ retrievers: [scriptedRetriever({ found })], policy }).search('who')
    expect(own?.aborted).toBe(true)
  })

  it('is no news for a retriever that has answered: its answer may be a stream', async () => {
    const bm25 = scriptedRetriever({ found })
    const policy = deciding(['first'], { withOriginal: false })
    const controller = new AbortController()
    await createOptimizer({ retrievers: [bm25], policy }).search('who', { signal: controller.signal })
    controller.abort()
    expect(bm25.calls.map(({ options }) => options.signal?.aborted)).toEqual([false, false])
  })
})

describe('the caller’s signal', () => {
  it('reaches every leg and the model call, and its reason comes back', async () => {
    const clock = manualClock()
    const retrievers = [
      scriptedRetriever({ found, ms: 1000, clock }),
      scriptedRetriever({ name: 'dense', ms: 1000, clock }),
    ]
    const chat = scriptedChat([split], { ms: 1000, clock })
    const controller = new AbortController()
    const optimizer = createOptimizer({ retrievers, policy: acqo(), chat, clock })
    const searching = optimizer.search('who', { signal: controller.signal })
    const reason = new Error('user went away')
    const seen = expect(searching).rejects.toBe(reason)
    await settled()
    controller.abort(reason)
    await seen
    for (const { calls } of retrievers) expect(calls[0]?.options.signal?.aborted).toBe(true)
    expect(chat.calls[0]?.signal?.aborted).toBe(true)
    await advanceAll(clock)
    expect(retrievers.map(({ calls }) => calls.length)).toEqual([1, 1]) // nothing new started
    expect(optimizer.dropped).toBe(2)
  })

  it('aborted beforehand: nothing starts', async () => {
    const bm25 = scriptedRetriever({ found })
    const signal = AbortSignal.abort(new Error('early'))
    await expect(createOptimizer({ retrievers: [bm25] }).search('who', { signal })).rejects.toThrow('early')
    expect(bm25.calls).toHaveLength(0)
  })

  it('leaves no timer and no listener behind', async () => {
    const clock = manualClock()
    const controller = new AbortController()
    const optimizer = createOptimizer({
      retrievers: [scriptedRetriever({ found })],
      policy: acqo(),
      chat: scriptedChat([split]),
      clock,
    })
    await optimizer.search('who', { signal: controller.signal })
    await advanceAll(clock)
    expect(clock.waiting).toBe(0)
  })
})

it('an empty query is not worth a question', async () => {
  const chat = scriptedChat([])
  const result = await createOptimizer({ retrievers: [scriptedRetriever()], policy: acqo(), chat }).search(
    '  ',
  )
  expect(result.hits).toEqual([])
  expect(chat.calls).toHaveLength(0)
})

it('a query of a collection may hold more than a trace has room for', async () => {
  const query = {
    text: 'who',
    metadata: { level: 'hard' },
    history: [{ role: 'user', text: 'hm', turn: 3 }],
  } as unknown as Query
  const { trace } = await createOptimizer({ retrievers: [scriptedRetriever({ found })] }).search(query)
  expect(trace.query).toEqual({ text: 'who', history: [{ role: 'user', text: 'hm' }] })
})

it('the assistant of a conversation is its agent', async () => {
  const history = [
    { role: 'assistant', text: 'hm' },
    { role: 'agent', text: 'so' },
  ] as const
  const { search } = createOptimizer({ retrievers: [scriptedRetriever({ found })] })
  const { trace } = await search({ text: 'who', history })
  expect(trace.query.history).toEqual(history.map(({ text }) => ({ role: 'agent', text })))
  await expect(search({ text: 'who', history: [{ role: 'system', text: '' }] } as never)).rejects.toThrow(
    'history.0.role: must be user, agent or assistant',
  )
})

it('blank sub-queries are not searched, and the original is named as it was typed', async () => {
  const bm25 = scriptedRetriever({ found })
  const blank: Policy = {
    name: 'blank',
    run: async (_query, tools) => ({
      hits: tools.fuse(await tools.retrieve([{ text: ' ' }, { text: 'WHO ' }], { reason: 'r' })),
    }),
  }
  const { trace } = await createOptimizer({ retrievers: [bm25], policy: blank }).search('who')
  expect(bm25.calls).toHaveLength(1)
  expect(trace).toMatchObject({ kind: 'as-is', subQueries: [{ text: 'who', round: 0 }] })
})

it('a deadline longer than timers can be is no deadline of a millisecond', async () => {
  const slow: Retriever = {
    name: 'slow',
    retrieve: async ([subQuery]) => {
      await settled()
      return [{ retriever: 'slow', subQuery: subQuery!, hits: hits('a') }]
    },
  }
  const result = await createOptimizer({
    retrievers: [slow],
    budget: { timeout: 3e9 },
    legTimeout: 3e9,
  }).search('who')
  expect(docids(result)).toEqual(['a'])
})

it('the filter reaches every leg', async () => {
  const bm25 = scriptedRetriever({ found })
  const filter = { term: { tenant: 7 } }
  await createOptimizer({ retrievers: [bm25], policy: acqo(), chat: scriptedChat([split]) }).search({
    text: 'who',
    filter,
  })
  expect(bm25.calls.map(({ options }) => options.filter)).toEqual([filter, filter])
})

it('which model serves which prompt is configuration', async () => {
  const [chat, rewriter] = [scriptedChat([]), scriptedChat([split])]
  const models = { 'acqo/rewrite': rewriter }
  await createOptimizer({ retrievers: [scriptedRetriever({ found })], policy: acqo(), chat, models }).search(
    'who',
  )
  expect([chat.calls.length, rewriter.calls.length]).toEqual([0, 1])
})

it('closes its retrievers', async () => {
  let closed = 0
  const close = async (): Promise<void> => void closed++
  await createOptimizer({
    retrievers: [{ ...scriptedRetriever(), close }, scriptedRetriever({ name: 'x' })],
  }).close()
  expect(closed).toBe(1)
})

it('a leg deeper than it was asked for is cut', async () => {
  const deep = {
    ...scriptedRetriever(),
    retrieve: async ([subQuery]: readonly SubQuery[]) => [
      { retriever: 'bm25', subQuery: subQuery!, hits: hits('a', 'b', 'c') },
    ],
  }
  expect(docids(await createOptimizer({ retrievers: [deep], depth: 2 }).search('who'))).toEqual(['a', 'b'])
})

async function advanceAll(clock: ManualClock): Promise<void> {
  await clock.advance(100_000)
}
