/** The optimizer: its options, and what every search of it has in common. */
import { describe, expect, it } from 'vitest'
import { acqo } from '../policies/acqo/acqo.ts'
import { createOptimizer, depthFor, type OptimizerOptions } from '../src/optimizer.ts'
import type { Query, Retriever, SearchResult, SubQuery } from '../src/types.ts'
import { expectError } from './support/expect-error.ts'
import { settled } from './support/manual-clock.ts'
import { hits, scriptedChat, scriptedRetriever } from './support/scripted.ts'

const found = { who: ['a', 'b'], first: ['c', 'a'], second: ['d'] }
const split = JSON.stringify({ query: 'first%%second' })
const docids = (result: SearchResult): string[] => result.hits.map(({ docid }) => docid)

describe('a search', () => {
  it('without a policy is one call to each retriever, at once', async () => {
    const [bm25, dense] = [scriptedRetriever({ found }), scriptedRetriever({ name: 'dense', found })]
    const searching = createOptimizer({ retrievers: [bm25, dense] }).search('who')
    expect(bm25.calls.map(({ texts }) => texts)).toEqual([['who']]) // before anything was awaited
    const result = await searching
    expect(docids(result)).toEqual(['a', 'b'])
    expect([bm25.calls.length, dense.calls.length]).toEqual([1, 1])
    expect(result.trace).toMatchObject({ policy: 'none', kind: 'as-is', partial: false })
  })

  it('sends the filter with every leg', async () => {
    const bm25 = scriptedRetriever({ found })
    const filter = { term: { tenant: 7 } }
    const { search } = createOptimizer({ retrievers: [bm25], policy: acqo(), chat: scriptedChat([split]) })
    await search({ text: 'who', filter })
    expect(bm25.calls.map(({ options }) => options.filter)).toEqual([filter, filter])
  })

  it('asks no model about an empty query', async () => {
    const chat = scriptedChat([])
    const { search } = createOptimizer({ retrievers: [scriptedRetriever()], policy: acqo(), chat })
    expect((await search('  ')).hits).toEqual([])
    expect(chat.calls).toHaveLength(0)
  })

  it('asks the model that serves the prompt', async () => {
    const [chat, rewriter] = [scriptedChat([]), scriptedChat([split])]
    const models = { 'acqo/rewrite': rewriter }
    const retrievers = [scriptedRetriever({ found })]
    await createOptimizer({ retrievers, policy: acqo(), chat, models }).search('who')
    expect([chat.calls.length, rewriter.calls.length]).toEqual([0, 1])
  })
})

describe('exclude', () => {
  it('takes documents out of the hits, and as many others move up', async () => {
    const bm25 = scriptedRetriever({ found: { who: ['a', 'b', 'c', 'd'] } })
    const { search } = createOptimizer({ retrievers: [bm25], k: 2 })
    const { hits, trace } = await search('who', { exclude: ['a', 'c', 'a', 'elsewhere'] })
    expect(hits.map(({ docid, rank }) => [docid, rank])).toEqual([
      ['b', 1],
      ['d', 2],
    ])
    expect(trace.outcome.hits.map(({ docid }) => docid)).toEqual(['b', 'd'])
  })

  it('makes up for it where the lists would be too short', async () => {
    const many = Array.from({ length: 400 }, (_, place) => `d${place}`)
    const bm25 = scriptedRetriever({ found: { who: many } })
    const { search } = createOptimizer({ retrievers: [bm25] })
    const result = await search({ text: 'who', k: 100 }, { exclude: many.slice(0, 150) })
    expect(docids(result)).toEqual(many.slice(150, 250))
  })

  it('leaves documents to the policy: what the model writes is searched as before', async () => {
    const bm25 = scriptedRetriever({ found })
    const { search } = createOptimizer({ retrievers: [bm25], policy: acqo(), chat: scriptedChat([split]) })
    expect(docids(await search('who', { exclude: ['c', 'd'] }))).toEqual(['a'])
  })

  it('must be a list of at most 1,000 docids', async () => {
    const { search } = createOptimizer({ retrievers: [scriptedRetriever()] })
    const exclude = Array.from({ length: 1001 }, String)
    await expectError(search('who', { exclude }), 'bad-config')
  })
})

it('the intent goes to the model and into the trace, and is not searched', async () => {
  const [bm25, chat] = [scriptedRetriever({ found }), scriptedChat([split])]
  const { search } = createOptimizer({ retrievers: [bm25], policy: acqo(), chat })
  const { trace } = await search({ text: 'who', intent: 'to write a birthday card' })
  expect(JSON.stringify(chat.calls[0])).toContain('to write a birthday card')
  expect(trace.query.intent).toBe('to write a birthday card')
  expect(bm25.calls.flatMap(({ texts }) => texts)).toEqual(['who', 'first', 'second'])
})

describe('depth', () => {
  it('is how many hits a leg may have, whatever k is; k cuts the result', async () => {
    const bm25 = scriptedRetriever({ found })
    const { search } = createOptimizer({ retrievers: [bm25], depth: 50 })
    expect(docids(await search({ text: 'who', k: 1 }))).toEqual(['a'])
    expect(docids(await search({ text: 'who', k: 1 }, { k: 2 }))).toEqual(['a', 'b'])
    expect(bm25.calls.map(({ options }) => options.k)).toEqual([50, 50])
  })

  it('is at least k where more than 100 hits are wanted', async () => {
    expect([depthFor(100), depthFor(101), depthFor(300, 50), depthFor(300, 350)]).toEqual([
      100, 101, 300, 350,
    ])
    const many = Array.from({ length: 400 }, (_, place) => `d${place}`)
    const bm25 = scriptedRetriever({ found: { who: many } })
    for (const depth of [undefined, 50, 350]) {
      const { search } = createOptimizer({ retrievers: [bm25], depth })
      expect((await search({ text: 'who', k: 100 })).hits).toHaveLength(Math.min(depth ?? 100, 100))
      expect(docids(await search({ text: 'who', k: 300 }))).toEqual(many.slice(0, 300))
    }
    const { search } = createOptimizer({ retrievers: [bm25], k: 200 })
    expect(docids(await search('who'))).toEqual(many.slice(0, 200))
  })

  it('cuts a leg that is deeper', async () => {
    const deep = {
      ...scriptedRetriever(),
      retrieve: async ([subQuery]: readonly SubQuery[]) => [
        { retriever: 'bm25', subQuery: subQuery!, hits: hits('a', 'b', 'c') },
      ],
    }
    expect(docids(await createOptimizer({ retrievers: [deep], depth: 2 }).search('who'))).toEqual(['a', 'b'])
  })
})

describe('a query', () => {
  const { search } = createOptimizer({ retrievers: [scriptedRetriever({ found })] })

  it('may hold more than a trace has room for', async () => {
    const query = {
      text: 'who',
      metadata: { level: 'hard' },
      history: [{ role: 'user', text: 'hm', turn: 3 }],
    } as unknown as Query
    const { trace } = await search(query)
    expect(trace.query).toEqual({ text: 'who', history: [{ role: 'user', text: 'hm' }] })
  })

  it('may call the agent of its conversation an assistant', async () => {
    const history = [
      { role: 'assistant', text: 'hm' },
      { role: 'agent', text: 'so' },
    ] as const
    const { trace } = await search({ text: 'who', history })
    expect(trace.query.history).toEqual(history.map(({ text }) => ({ role: 'agent', text })))
    await expectError(
      search({ text: 'who', history: [{ role: 'system', text: '' }] } as never),
      'bad-config',
      /history\.0\.role/,
    )
  })

  it('that is none is named', async () => {
    await expectError(search({ text: 3 } as unknown as string), 'bad-config')
    await expectError(search('who', { k: 1.5 }), 'bad-config')
  })
})

describe('options', () => {
  it.each([
    [{ retrievers: [] }, 'retrievers'],
    [{ retrievers: [scriptedRetriever(), scriptedRetriever()] }, 'same name'],
    [{ retrievers: [scriptedRetriever()], k: 0 }, 'k'],
    [{ retrievers: [scriptedRetriever()], timeuot: 3 }, 'timeuot'],
    [{ retrievers: [scriptedRetriever()], sparing: true }, 'sparing: is gone'],
    [{ retrievers: [{ name: 'x' }] }, 'retrieve()'],
    [{ retrievers: [scriptedRetriever()], norm: 'foo' }, 'norm: must be one of '],
    [{ retrievers: [scriptedRetriever()], observe: 4 }, 'createOptimizer: observe: expected an observer.'],
  ])('that are wrong are named when the optimizer is made: %#', (options, named) => {
    expectError(() => createOptimizer(options as unknown as OptimizerOptions), 'bad-config', named)
  })

  it('may have timeouts that are longer than a timer can be', async () => {
    const slow: Retriever = {
      name: 'slow',
      async retrieve([subQuery]) {
        await settled()
        return [{ retriever: 'slow', subQuery: subQuery!, hits: hits('a') }]
      },
    }
    const { search } = createOptimizer({ retrievers: [slow], budget: { timeout: 3e9 }, legTimeout: 3e9 })
    expect(docids(await search('who'))).toEqual(['a'])
  })
})

it('closes its retrievers and its policy', async () => {
  const closed: string[] = []
  const closing = (name: string) => ({ close: async () => void closed.push(name) })
  await createOptimizer({
    retrievers: [{ ...scriptedRetriever(), ...closing('bm25') }, scriptedRetriever({ name: 'x' })],
    policy: { name: 'mine', run: async () => ({ hits: [] }), ...closing('mine') },
  }).close()
  expect(closed.sort()).toEqual(['bm25', 'mine'])
})

it('closes all, though one cannot be closed, and then tells the first error', async () => {
  const events: string[] = []
  const failing = (name: string, turns: number) => ({
    async close() {
      for (let turn = 0; turn < turns; turn++) await settled()
      events.push(name)
      throw new Error(`${name} cannot be closed`)
    },
  })
  const { close } = createOptimizer({
    retrievers: [{ ...scriptedRetriever(), ...failing('bm25', 0) }],
    policy: { name: 'mine', run: async () => ({ hits: [] }), ...failing('mine', 2) },
    rerank: {
      rerank: (_query, _lists, fused) => fused,
      close() {
        throw new Error('at once')
      },
    },
  })
  await expect(close()).rejects.toThrow('mine cannot be closed')
  expect(events).toEqual(['bm25', 'mine'])
})
