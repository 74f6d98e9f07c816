/** One search, from the user's words to hits: what it returns, what it rejects with, and that nothing goes on afterwards. */
import { describe, expect, it } from 'vitest'
import { acqo } from '../policies/acqo/acqo.ts'
import { createOptimizer, type OptimizerOptions } from '../src/optimizer.ts'
import type { Policy } from '../src/policy.ts'
import { traceSchema } from '../src/trace-schema.ts'
import type { Outcome, Retriever, SearchResult, Step } from '../src/types.ts'
import { expectError } from './support/expect-error.ts'
import { manualClock, settled } from './support/manual-clock.ts'
import { hits, scriptedChat, scriptedRetriever } from './support/scripted.ts'
import { deciding } from './support/scripted-policy.ts'

const found = { who: ['a', 'b'], first: ['c', 'a'], second: ['d'], better: ['c'] }
const split = JSON.stringify({ query: 'first%%second' })
const docids = (result: SearchResult): string[] => result.hits.map(({ docid }) => docid)
const retrieveSteps = ({ trace }: SearchResult) =>
  trace.steps.filter((step): step is Extract<Step, { type: 'retrieve' }> => step.type === 'retrieve')
const policyOf = (run: Policy['run']): Policy => ({ name: 'mine', run })
const search = (policy: Policy, options: Partial<OptimizerOptions> = {}) =>
  createOptimizer({ retrievers: [scriptedRetriever({ found })], policy, ...options }).search

describe('an outcome', () => {
  it('with an answer and no hits has the hits of the original query', async () => {
    const result = await search(policyOf(async () => ({ hits: [], answer: 'Paris' })))('who')
    expect(result).toMatchObject({ answer: 'Paris', citations: [] })
    expect(docids(result)).toEqual(['a', 'b'])
    expect(result.trace.fallback).toBeUndefined()
  })

  it('cites what this search found, once each, and only beside an answer', async () => {
    const citing = (answer?: string) =>
      policyOf(async (_query, tools) => ({
        hits: tools.fuse(await tools.original()),
        citations: ['b', 'nowhere', 'b', 'a'],
        ...(answer !== undefined && { answer }),
      }))
    expect((await search(citing('yes'))('who')).citations).toEqual(['b', 'a'])
    expect(await search(citing())('who')).not.toHaveProperty('citations')
  })

  it('keeps cited hits in front of the re-ranked ones', async () => {
    const citing = policyOf(async (_query, tools) => {
      const legs = [
        ...(await tools.original()),
        ...(await tools.retrieve([{ text: 'better' }], { reason: '' })),
      ]
      return { hits: tools.fuse(legs, { first: ['b'] }), answer: 'b', citations: ['b'] }
    })
    const rerank = { rerank: (_: unknown, __: unknown, fused: SearchResult['hits']) => [...fused].reverse() }
    // Fused: b (cited), then a and c. Reversed: c, a, b; b stays first.
    expect(docids(await search(citing, { rerank })('who'))).toEqual(['b', 'c', 'a'])
  })

  it('says whether the documents do not tell the answer, by the last prompt for one', async () => {
    const prompt = {
      name: 'p',
      final: true,
      render: () => [],
      parse: (text: string) => (text === 'x' ? undefined : text),
    }
    const run: Policy['run'] = async (_query, tools) => {
      for (let asked = 0; asked < 2; asked++) await tools.ask(prompt, undefined).catch(() => undefined)
      return { hits: tools.fuse(await tools.original()) }
    }
    const asking = (...answers: readonly (string | Error)[]) =>
      search(policyOf(run), { chat: scriptedChat(answers) })
    const unanswered = await asking('x', 'x')('who')
    expect([unanswered.unanswered, unanswered.trace.outcome.unanswered]).toEqual([true, true])
    expect(traceSchema.safeParse(unanswered.trace).error).toBeUndefined()
    expect(await asking('x', 'x')('who', { answer: false })).not.toHaveProperty('unanswered')
    expect(await asking('x', new Error('down'))('who')).not.toHaveProperty('unanswered')
    const own = policyOf(async (...given) => ({ ...(await run(...given)), unanswered: false }))
    expect(await search(own, { chat: scriptedChat(['x', 'x']) })('who')).not.toHaveProperty('unanswered')
  })

  it('names what of the budget was spent when more was wanted', async () => {
    const wanting = policyOf(async (_query, tools) => {
      const more = (text: string) => tools.retrieve([{ text }], { reason: '' }).catch(() => [])
      return {
        hits: tools.fuse([...(await tools.original()), ...(await more('better')), ...(await more('first'))]),
      }
    })
    const cut = await search(wanting, { budget: { rounds: 1 } })('who')
    expect([cut.endedBy, cut.trace.outcome.endedBy]).toEqual(['rounds', 'rounds'])
    const declaring = { ...wanting, budget: { rounds: 2 } }
    expect(await search(declaring)('who')).not.toHaveProperty('endedBy')
    const clock = manualClock()
    const waiting = policyOf(() => new Promise(() => {}))
    const late = search(waiting, { clock })('who')
    await settled()
    await clock.advance(5000)
    expect((await late).endedBy).toBe('timeout')
  })

  it('with more than was asked for is cut, and nothing unknown is passed on', async () => {
    const generous = policyOf(async () => ({ hits: hits('a', 'b', 'c'), extra: 1 }) as unknown as Outcome)
    const result = await search(generous)('who', { k: 2 })
    expect(docids(result)).toEqual(['a', 'b'])
    expect(Object.keys(result).sort()).toEqual(['hits', 'trace'])
    expect(traceSchema.safeParse(result.trace).error).toBeUndefined()
  })
})

describe('documents', () => {
  const textOf = (docid: string) => ({ docid, text: `text of ${docid}` })
  const original = policyOf(async (_query, tools) => ({ hits: tools.fuse(await tools.original()) }))

  it('come with the hits if the caller wants them, as far as they can be found', async () => {
    const one = search(original, {
      documents: async (wanted) => wanted.map((docid) => (docid === 'a' ? textOf(docid) : undefined)),
    })
    expect((await one('who')).hits.map(({ document }) => document)).toEqual([undefined, undefined])
    const { hits: shown, trace } = await one('who', { documents: true })
    expect(shown.map(({ document }) => document)).toEqual([textOf('a'), undefined])
    expect(JSON.stringify(trace)).not.toContain('text of a')
  })

  it('that cannot be had are left out', async () => {
    const one = search(original, { documents: () => Promise.reject(new Error('down')) })
    expect(docids(await one('who', { documents: true }))).toEqual(['a', 'b'])
  })
})

describe('a search rejects', () => {
  it("with the retriever's own error, when the original query failed on every retriever", async () => {
    const boom = Object.assign(new Error('no shards', { cause: 'disk' }), { statusCode: 503 })
    const retrievers = [
      scriptedRetriever({ fails: boom }),
      scriptedRetriever({ name: 'dense', fails: new Error('other') }),
    ]
    await expect(createOptimizer({ retrievers }).search('who')).rejects.toBe(boom)
    const chat = scriptedChat([new Error('also down')])
    await expect(search(acqo(), { retrievers, chat })('who')).rejects.toBe(boom)
  })

  it('with a deadline, when the original query was late everywhere', async () => {
    const clock = manualClock()
    const retrievers = [scriptedRetriever({ ms: 9999, clock })]
    const seen = expectError(createOptimizer({ retrievers, clock }).search('who'), 'deadline', '2000 ms')
    await clock.advance(2000)
    await seen
  })

  it('not, when sub-queries were found although the original query failed', async () => {
    const retrievers = [scriptedRetriever({ found: { ...found, who: new Error('no') } })]
    const result = await search(acqo(), { retrievers, chat: scriptedChat([split]) })('who')
    expect(docids(result)).toEqual(['c', 'd', 'a'])
  })
})

describe('when a search ends', () => {
  it('whatever the policy did not wait for is aborted, and the trace has it', async () => {
    const slow: Retriever = {
      name: 'slow',
      retrieve: (_, { signal }) =>
        new Promise((_resolve, reject) =>
          signal!.addEventListener('abort', () => reject(new Error('let go'))),
        ),
    }
    const result = await search(
      policyOf(async () => ({ hits: hits('a') })),
      { retrievers: [slow] },
    )('who')
    expect(docids(result)).toEqual(['a'])
    expect(retrieveSteps(result)[0]?.legs).toMatchObject([{ status: 'aborted' }])
  })

  it('the signal of the tools aborts, for a policy with work of its own', async () => {
    let own: AbortSignal | undefined
    const policy = policyOf(async (_, tools) => {
      own = tools.signal
      return { hits: tools.fuse(await tools.original()) }
    })
    await search(policy)('who')
    expect(own?.aborted).toBe(true)
  })

  it('the signal of a retriever that has answered does not abort: its answer may be a stream', async () => {
    const bm25 = scriptedRetriever({ found })
    const policy = deciding(['first'], { withOriginal: false })
    const controller = new AbortController()
    await search(policy, { retrievers: [bm25] })('who', { signal: controller.signal })
    controller.abort()
    expect(bm25.calls.map(({ options }) => options.signal?.aborted)).toEqual([false, false])
  })

  it('no timer is left', async () => {
    const clock = manualClock()
    const { signal } = new AbortController()
    await search(acqo(), { chat: scriptedChat([split]), clock })('who', { signal })
    await clock.advance(100_000)
    expect(clock.waiting).toBe(0)
  })
})

describe("the caller's signal", () => {
  it('aborts every leg and the model call, and its reason comes back', async () => {
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
    await clock.advance(100_000)
    expect(retrievers.map(({ calls }) => calls.length)).toEqual([1, 1]) // nothing new started
    expect(optimizer.dropped).toBe(2)
  })

  it('starts nothing where it is aborted beforehand', async () => {
    const bm25 = scriptedRetriever({ found })
    const signal = AbortSignal.abort(new Error('early'))
    await expect(createOptimizer({ retrievers: [bm25] }).search('who', { signal })).rejects.toThrow('early')
    expect(bm25.calls).toHaveLength(0)
  })
})
