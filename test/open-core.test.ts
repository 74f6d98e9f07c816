/** What a policy can do beyond one decision: several rounds, answers, budgets of its own; and how it is observed. */
import { describe, expect, it } from 'vitest'
import { budgetOf } from '../src/budget.ts'
import type { Observer } from '../src/observe.ts'
import { createOptimizer } from '../src/optimizer.ts'
import type { Policy } from '../src/policy.ts'
import type { ChatModel, RankedList, SearchResult } from '../src/types.ts'
import { reader } from './support/answering-policy.ts'
import { manualClock } from './support/manual-clock.ts'
import { scriptedChat, scriptedRetriever } from './support/scripted.ts'

const found = { who: ['a', 'b'], better: ['c'], c: ['d'], d: ['e'], more: ['x'] }
const docids = ({ hits }: SearchResult): string[] => hits.map(({ docid }) => docid)
const policyOf = (run: Policy['run'], more: Partial<Policy> = {}): Policy => ({ name: 'mine', run, ...more })
const search = (policy: Policy, options: Partial<Parameters<typeof createOptimizer>[0]> = {}) => {
  const bm25 = scriptedRetriever({ found })
  return { bm25, ...createOptimizer({ retrievers: [bm25], policy, ...options }) }
}

describe('a policy of several rounds', () => {
  const chat = () => scriptedChat(['better', 'It is c.'])

  it('asks, retrieves three times and answers with citations', async () => {
    const { bm25, search: one } = search(reader, { chat: chat() })
    const result = await one('who')
    expect(bm25.calls.map(({ texts }) => texts)).toEqual([['who'], ['better'], ['a'], ['c']])
    // a, c and d are first in a list and b is second; of equals the one with the higher score in its list comes first, then
    // the docid decides.
    expect(result).toMatchObject({ answer: 'It is c.', citations: ['a', 'c'] })
    expect(docids(result)).toEqual(['a', 'c', 'd', 'b'])
    expect(result.hits.map(({ score }) => score)).toEqual([1, 1 / 2, 1 / 3, 1 / 4])
    expect(result.hits[0]?.fused).toEqual({ rank: 1, score: expect.any(Number) })
    expect(result.trace.fallback).toBeUndefined()
    expect(result.trace.outcome).toMatchObject({ answer: 'It is c.', citations: ['a', 'c'] })
    expect(result.trace).toMatchObject({ kind: 'decompose', reason: 'and the first one after that' })
    expect(result.trace.subQueries).toEqual([
      { text: 'who', round: 0 },
      { text: 'better', round: 1 },
      { text: 'a', round: 2, from: 'a' },
      { text: 'c', round: 3, from: 'c' },
    ])
  })

  it('writes no answer for a caller that cannot take one', async () => {
    const model = chat()
    const result = await search(reader, { chat: model }).search('who', { answer: false })
    expect(result.answer).toBeUndefined()
    expect(result.citations).toBeUndefined()
    expect(docids(result)).toEqual(['a', 'c', 'd', 'b'])
    expect(model.calls).toHaveLength(1)
  })

  it('falls back to the original query where the operator allows less than it declares', async () => {
    const result = await search(reader, { chat: chat(), budget: { rounds: 2 } }).search('who')
    expect(result.trace.fallback).toMatchObject({
      code: 'too-deep',
      message: expect.stringContaining('rounds'),
    })
    expect(docids(result)).toEqual(['a', 'b'])
    const asked = await search(reader, { chat: chat(), budget: { asks: 1 } }).search('who')
    expect(asked.trace.fallback?.code).toBe('too-deep')
  })

  it('streams the answer of a final prompt, and of no other', async () => {
    const model: ChatModel = {
      name: 'streaming',
      async complete(messages, { onText } = {}) {
        const text = messages[0]!.content === 'who' ? 'better' : 'It is c.'
        for (const piece of text.match(/\S+ ?/g)!) onText?.(piece)
        return { text, tokens: { prompt: 1, completion: 1 } }
      },
    }
    const pieces: string[] = []
    const result = await search(reader, { chat: model }).search('who', {
      onText: (piece) => pieces.push(piece),
    })
    expect(pieces).toEqual(['It ', 'is ', 'c.'])
    expect(result.answer).toBe('It is c.')
  })
})

describe('retrieve', () => {
  it('answers a text that was searched before from what came, which is no round', async () => {
    const again = policyOf(async (_query, tools) => {
      const legs = await tools.retrieve([{ text: 'better' }], { reason: 'once' })
      const same = await tools.retrieve([{ text: ' BETTER ' }, { text: 'Who' }], { reason: 'again' })
      expect(same.map(({ subQuery }) => subQuery.text)).toEqual(['who', 'better'])
      return { hits: tools.fuse([...legs, ...same]) }
    })
    const { bm25, search: one } = search(again)
    const { trace } = await one('who')
    expect(trace.fallback).toBeUndefined()
    expect(bm25.calls).toHaveLength(2)
  })

  it('searches the same text again under another filter, which is that of no other round', async () => {
    const filtered = policyOf(
      async (_query, tools) => {
        const legs = await tools.retrieve([{ text: 'who' }], { reason: 'in 2020', filter: { year: 2020 } })
        return { hits: tools.fuse(legs) }
      },
      { budget: { rounds: 2 } },
    )
    const { bm25, search: one } = search(filtered)
    await one({ text: 'who', filter: { year: 2019 } })
    expect(bm25.calls.map(({ options }) => options.filter)).toEqual([{ year: 2019 }, { year: 2020 }])
  })

  it('waits for texts beside the decision, which re-ranking reads', async () => {
    const clock = manualClock()
    const slow = scriptedRetriever({ found, ms: 100, clock })
    const widening = policyOf(async (_query, tools) => {
      const legs = await tools.retrieve([], { reason: 'left alone', beside: [{ text: 'more' }] })
      return { hits: tools.fuse(legs) }
    })
    const rerank = {
      rerank: (_: unknown, lists: readonly RankedList[]) => lists.flatMap(({ hits }) => hits).toReversed(),
    }
    const optimizer = createOptimizer({ retrievers: [slow], policy: widening, rerank, clock })
    const searching = optimizer.search('who')
    await clock.advance(200)
    const result = await searching
    expect(docids(result)).toEqual(['x', 'b', 'a'])
    expect(result.trace).toMatchObject({ kind: 'as-is', partial: false })
  })

  it('counts the sub-queries of all rounds together', async () => {
    const many = policyOf(
      async (_query, tools) => {
        for (const round of [1, 2, 3])
          await tools.retrieve([{ text: `${round} a` }, { text: `${round} b` }], { reason: 'more' })
        return { hits: tools.fuse(await tools.original()) }
      },
      { budget: { rounds: 3, subQueries: 5 } },
    )
    expect((await search(many).search('who')).trace.fallback).toMatchObject({
      code: 'too-deep',
      message: expect.stringContaining('wanted 6 sub-queries; 5 is the limit'),
    })
  })
})

describe('a decision', () => {
  it('is what was retrieved, unless the policy records one', async () => {
    const silent = policyOf(async (_query, tools) => ({
      hits: tools.fuse(await tools.retrieve([{ text: 'better' }], { reason: 'so' })),
    }))
    expect((await search(silent).search('who')).trace).toMatchObject({ kind: 'rewrite', reason: 'so' })
    const telling = policyOf(async (_query, tools) => {
      tools.decide('as-is', 'nothing to add', { sure: true })
      return { hits: tools.fuse(await tools.original()) }
    })
    const { trace } = await search(telling).search('who')
    expect(trace).toMatchObject({ kind: 'as-is', reason: 'nothing to add' })
    expect(trace.steps.find(({ type }) => type === 'decide')).toMatchObject({ details: { sure: true } })
  })
})

describe('an outcome', () => {
  it('with an answer and no hits has the hits of the original query', async () => {
    const knowing = policyOf(async () => ({ hits: [], answer: 'Paris' }))
    const result = await search(knowing).search('who')
    expect(result).toMatchObject({ answer: 'Paris', citations: [] })
    expect(docids(result)).toEqual(['a', 'b'])
    expect(result.trace.fallback).toBeUndefined()
  })

  it('cites only what this search found, once, beside an answer alone', async () => {
    const citing = (answer?: string) =>
      policyOf(async (_query, tools) => ({
        hits: tools.fuse(await tools.original()),
        citations: ['b', 'nowhere', 'b', 'a'],
        ...(answer !== undefined && { answer }),
      }))
    expect((await search(citing('yes')).search('who')).citations).toEqual(['b', 'a'])
    expect(await search(citing()).search('who')).not.toHaveProperty('citations')
  })

  it('keeps cited hits in front of the re-ranked ones', async () => {
    const citing = policyOf(async (_query, tools) => {
      const legs = [
        ...(await tools.original()),
        ...(await tools.retrieve([{ text: 'better' }], { reason: '' })),
      ]
      return { hits: tools.fuse(legs, { first: ['b'] }), answer: 'b', citations: ['b'] }
    })
    const rerank = { rerank: (_: unknown, __: unknown, hits: SearchResult['hits']) => [...hits].reverse() }
    // Fused: b (cited), then a and c. Reversed: c, a, b; b stays first.
    expect(docids(await search(citing, { rerank }).search('who'))).toEqual(['b', 'c', 'a'])
  })
})

describe('documents', () => {
  const byDocid = (docid: string) => ({ docid, text: `text of ${docid}` })
  it('come with the hits if the caller wants them and they can be found', async () => {
    const none = policyOf(async (_query, tools) => ({ hits: tools.fuse(await tools.original()) }))
    const documents = async (wanted: readonly string[]) =>
      wanted.map((docid) => (docid === 'a' ? byDocid(docid) : undefined))
    const { search: one } = search(none, { documents })
    expect((await one('who')).hits.map(({ document }) => document)).toEqual([undefined, undefined])
    const { hits, trace } = await one('who', { documents: true })
    expect(hits.map(({ document }) => document)).toEqual([byDocid('a'), undefined])
    expect(JSON.stringify(trace)).not.toContain('text of a')
    const broken = search(none, { documents: () => Promise.reject(new Error('down')) })
    expect(docids(await broken.search('who', { documents: true }))).toEqual(['a', 'b'])
  })
})

describe('budgetOf', () => {
  it('takes what the policy declares up to the ceiling, else the ceiling, else the default', () => {
    const defaults = { rounds: 1, subQueries: 15, asks: 8, timeout: 5000, askTimeout: 3000 }
    expect(budgetOf()).toEqual(defaults)
    expect(budgetOf({ rounds: 3, timeout: 9000 })).toEqual({ ...defaults, rounds: 3, timeout: 9000 })
    expect(budgetOf({ rounds: 3 }, { rounds: 2, asks: 20 })).toEqual({ ...defaults, rounds: 2, asks: 20 })
    expect(budgetOf({ asks: 4 }, { asks: 20 }).asks).toBe(4)
  })

  it('refuses what is no budget, and names the policy', () => {
    const greedy = policyOf(async () => ({ hits: [] }), { budget: { rounds: 0 } })
    expect(() => search(greedy)).toThrow('Policy "mine": budget: rounds')
    expect(() => search(reader, { budget: { rouns: 1 } as never })).toThrow('rouns')
  })
})

describe('observe', () => {
  const noting = () => {
    const events: string[] = []
    const searches = new Set<unknown>()
    const note = (one: unknown, event: string): void => {
      searches.add(one)
      events.push(event)
    }
    const observer: Observer = {
      onSearchStart: ({ search: one }) => note(one, `search ${one.query.text} by ${one.policy}`),
      onStepStart: ({ search: one, step }) => note(one, `${step.type} begins`),
      onStep: ({ search: one, step }) => note(one, `${step.type} ends`),
      onLeg: ({ search: one, leg }) => note(one, `leg ${leg.round} ${leg.subQuery.text}`),
      onSearch: ({ search: one, trace, error }) => note(one, `ended ${trace?.kind ?? error?.message}`),
    }
    return { events, searches, observer }
  }
  const once = policyOf(async (_query, tools) => {
    tools.decide('rewrite', 'so')
    return { hits: tools.fuse(await tools.retrieve([{ text: 'better' }], { reason: 'so' })) }
  })

  it('hears of a search, its steps and legs, in their order, all with one object', async () => {
    const { events, searches, observer } = noting()
    await search(once, { observe: observer }).search('who')
    expect(events).toEqual([
      'search who by mine',
      'retrieve begins',
      'decide begins',
      'decide ends',
      'retrieve begins',
      'leg 0 who',
      'leg 1 better',
      'retrieve ends',
      'retrieve ends',
      'fuse begins',
      'fuse ends',
      'ended rewrite',
    ])
    expect(searches.size).toBe(1)
  })

  it('hears the same for one search, and of a search that rejects', async () => {
    const [all, own] = [noting(), noting()]
    await search(once, { observe: all.observer }).search('who', { observe: own.observer })
    expect(own.events).toEqual(all.events)
    const down = scriptedRetriever({ fails: new Error('down') })
    const failing = noting()
    await expect(
      createOptimizer({ retrievers: [down], observe: failing.observer }).search('who'),
    ).rejects.toThrow('down')
    expect(failing.events.at(-1)).toBe('ended down')
  })

  it('changes nothing where it throws', async () => {
    const broken = () => {
      throw new Error('broken')
    }
    const observe = {
      onSearchStart: broken,
      onSearch: broken,
      onStepStart: broken,
      onStep: broken,
      onLeg: broken,
    }
    const watched = await search(once, { observe }).search('who')
    expect(watched.hits).toEqual((await search(once).search('who')).hits)
  })
})
