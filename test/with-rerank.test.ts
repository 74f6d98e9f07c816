/** Re-ranking as the last step of a policy. */
import { describe, expect, it } from 'vitest'
import type { Policy } from '../src/policy.ts'
import type { Reranker } from '../src/reranker.ts'
import type { Hit } from '../src/types.ts'
import { declarationOf, type RerankedOutcome, withRerank } from '../src/with-rerank.ts'
import { expectError } from './support/expect-error.ts'
import { scriptedRetriever } from './support/scripted.ts'
import { searchTools } from './support/search-tools.ts'

const query = { text: 'who' }
const docidsOf = (hits: readonly Hit[]): string[] => hits.map(({ docid }) => docid)
const many = Array.from({ length: 150 }, (_, place) => `d${place}`)

/** A re-ranker that turns the hits around, and what it was asked. */
function backwards(settings: Partial<Reranker> = {}) {
  const asked: { readonly text: string; readonly hits: number }[] = []
  const reranker: Reranker = {
    ...settings,
    rerank({ text }, _lists, fused) {
      asked.push({ text, hits: fused.length })
      return fused.toReversed().map((hit, place) => ({ ...hit, rank: place + 1 }))
    },
  }
  return { reranker, asked }
}

const giving = (outcome: Partial<RerankedOutcome> & { readonly legs?: true } = {}): Policy => ({
  name: 'giving',
  async run(_query, tools) {
    const { legs, ...rest } = outcome
    return { hits: legs ? tools.fuse(await tools.original()) : [], ...rest }
  },
})

function run(policy: Policy, { docids = ['a', 'b', 'c'], k = 5 } = {}) {
  return policy.run(query, searchTools({ k, retriever: scriptedRetriever({ found: { who: docids } }) }).tools)
}

describe('withRerank', () => {
  it.each([
    [undefined, 100],
    [120, 120],
    [3, 5],
  ])('shows a window of %s', async (window, seen) => {
    const { reranker, asked } = backwards(window === undefined ? {} : { window })
    const found = { who: many.slice(0, 75), more: many.slice(75) }
    const { tools } = searchTools({ k: 5, retriever: scriptedRetriever({ found }) })
    const policy: Policy = {
      name: 'both',
      run: async (_query, { retrieve, fuse }) => ({
        hits: fuse(await retrieve([{ text: 'who' }, { text: 'more' }], { reason: 'r' })),
      }),
    }
    const { hits } = await withRerank(policy, reranker).run(query, tools)
    expect(asked).toEqual([{ text: 'who', hits: seen }])
    expect(hits).toHaveLength(5)
  })

  it('orders the hits of the original query beside an answer that has none', async () => {
    const { reranker } = backwards()
    const { hits, answer } = await run(withRerank(giving({ answer: 'Paris' }), reranker))
    expect([answer, docidsOf(hits)]).toEqual(['Paris', ['c', 'b', 'a']])
  })

  it('is not asked where there is nothing to order', async () => {
    const { reranker, asked } = backwards()
    expect((await run(withRerank(giving(), reranker))).hits).toEqual([])
    expect((await run(withRerank(giving({ answer: 'Paris' }), reranker), { docids: [] })).hits).toEqual([])
    expect(asked).toEqual([])
  })

  it('compares documents with the rewritten query', async () => {
    const { reranker, asked } = backwards()
    await run(withRerank(giving({ legs: true, rewritten: 'who is it' }), reranker))
    expect(asked.map(({ text }) => text)).toEqual(['who is it'])
  })

  it('keeps first what an answer was read from, then what the policy puts ahead', async () => {
    const { reranker } = backwards()
    const ahead = new Set(['a', 'b'])
    const outcome = { legs: true, answer: 'c', citations: ['c'], ahead } as const
    const { hits } = await run(withRerank(giving(outcome), reranker), { docids: ['a', 'b', 'c', 'd'] })
    expect(docidsOf(hits)).toEqual(['c', 'b', 'a', 'd'])
  })

  it('compares each part of the hits with its own question, and lets the parts take turns', async () => {
    const { reranker, asked } = backwards()
    const policy: Policy = {
      name: 'parted',
      async run(_query, tools): Promise<RerankedOutcome> {
        const [own, further] = [
          await tools.original(),
          await tools.retrieve([{ text: 'it' }], { reason: 'r' }),
        ]
        const parts = [
          { question: 'it', texts: ['it'], hits: tools.fuse(further) },
          { texts: ['who'], hits: tools.fuse(own) },
        ]
        return { hits: tools.fuse([...own, ...further]), parts }
      },
    }
    const run = (k: number, given = policy) => {
      const retriever = scriptedRetriever({ found: { who: ['a', 'b', 'c'], it: ['d', 'c'] } })
      return withRerank(given, reranker).run(query, searchTools({ k, retriever }).tools)
    }
    const { hits } = await run(5)
    expect(asked).toEqual([
      { text: 'it', hits: 2 },
      { text: 'who', hits: 3 },
    ])
    expect(docidsOf(hits)).toEqual(['c', 'd', 'b', 'a'])
    // What the fusion of all lists has said of them stays.
    expect(hits.map(({ fused }) => fused?.rank).toSorted()).toEqual([1, 2, 3, 4])
    expect(docidsOf((await run(2)).hits)).toEqual(['c', 'd'])
    const ahead: Policy = {
      ...policy,
      run: async (asked, tools) => ({ ...(await policy.run(asked, tools)), ahead: new Set(['a']) }),
    }
    expect(docidsOf((await run(3, ahead)).hits)).toEqual(['a', 'c', 'd'])
  })

  it('declares what the policy declares, and reads documents if either does', () => {
    const policy: Policy = { ...giving(), budget: { asks: 2 }, prompts: ['one'], agents: ['one'] }
    const { reranker } = backwards({ reads: true })
    expect(declarationOf(withRerank(policy, reranker))).toEqual({ ...declarationOf(policy), reads: true })
    // A re-ranker that does not say may read documents, whatever the policy says of itself.
    const { reads } = withRerank({ ...policy, reads: false }, backwards().reranker)
    expect(reads).toBeUndefined()
  })

  it('says which of both is none', () => {
    expectError(() => withRerank({} as never, backwards().reranker), 'bad-config', 'policy')
    expectError(() => withRerank(giving(), undefined as never), 'bad-config', 'reranker')
  })

  it('closes both', async () => {
    const closed: string[] = []
    const closing = (name: string) => ({ close: async () => void closed.push(name) })
    await withRerank({ ...giving(), ...closing('policy') }, backwards(closing('re-ranker')).reranker).close!()
    expect(closed.sort()).toEqual(['policy', 're-ranker'])
  })
})
