import { expect, it } from 'vitest'
import { type Reading, reading } from '../../../policies/reading/reading.ts'
import { createOptimizer } from '../../../src/optimizer.ts'
import type { Tools } from '../../../src/policy.ts'
import type { Reranker } from '../../../src/reranker.ts'
import type { Document, SearchResult } from '../../../src/types.ts'
import { finderOf } from '../../support/finder.ts'
import { scriptedRetriever } from '../../support/scripted.ts'

const documents: readonly Document[] = ['a', 'b', 'c', 'd'].map((docid) => ({
  docid,
  text: `text of ${docid}`,
}))

/** Runs a policy that reads, and gives what it read and what it searched. */
async function during(
  work: (read: Reading, tools: Tools) => Promise<unknown>,
  {
    rounds = 2,
    subQueries = 15,
    broken = false,
    rerank,
  }: {
    readonly rounds?: number
    readonly subQueries?: number
    readonly broken?: boolean
    readonly rerank?: Reranker
  } = {},
): Promise<{ readonly result: SearchResult; readonly searched: readonly (readonly string[])[] }> {
  const found = {
    who: ['a'],
    first: ['a', 'b', 'c', 'no text', 'd'],
    second: ['c', 'a'],
    broken: new Error('no'),
  }
  const retriever = scriptedRetriever({ found })
  const { search } = createOptimizer({
    retrievers: [retriever],
    ...(rerank && { rerank }),
    documents: broken ? async () => Promise.reject(new Error('no documents')) : finderOf(documents),
    policy: {
      name: 'reads',
      budget: { rounds, subQueries },
      async run({ text }, tools) {
        const read = reading(tools, text)
        await work(read, tools)
        return { hits: tools.fuse(read.legs) }
      },
    },
  })
  const result = await search('who')
  return { result, searched: retriever.calls.map(({ texts }) => texts) }
}

const docidsOf = (lists: readonly (readonly Document[])[]): string[][] =>
  lists.map((list) => list.map(({ docid }) => docid))

it('reads each text in one round: as many documents as are wanted, without those that have no text', async () => {
  const { searched, result } = await during(async ({ search }) => {
    expect(docidsOf(await search(['first', 'second', 'zzz'], [4, 1, 2], 'why'))).toEqual([
      ['a', 'b', 'c'],
      ['c'],
      [],
    ])
  })
  expect(searched).toEqual([['who'], ['first', 'second', 'zzz']])
  // a: 1 + 1/2; c: 1/3 + 1; then by rank.
  expect(result.hits.map(({ docid }) => docid)).toEqual(['a', 'c', 'b', 'no text', 'd'])
})

it('turns the page of a text that was read, without a request', async () => {
  const { searched, result } = await during(async ({ search }) => {
    expect(docidsOf(await search(['first', ' First '], [1, 1], 'once'))).toEqual([['a'], ['b']])
    expect(docidsOf(await search(['FIRST'], [3], 'again'))).toEqual([['c', 'd']])
    expect(docidsOf(await search(['first'], [3], 'and again'))).toEqual([[]])
  })
  expect(searched).toEqual([['who'], ['first']])
  expect(result.hits).toHaveLength(5)
})

it('searches as many texts as the budget has room for; the others find nothing', async () => {
  const { searched, result } = await during(
    async ({ search }) => {
      // The query and repeats take no room.
      const first = await search(['who', 'first', 'FIRST', 'second'], [1, 1, 1, 1], 'four')
      expect(docidsOf(first)).toEqual([['a'], ['a'], ['b'], []])
      expect(docidsOf(await search(['second', 'first'], [1, 1], 'two'))).toEqual([[], ['c']])
      expect(docidsOf(await search(['second'], [1], 'one'))).toEqual([[]])
    },
    { rounds: 3, subQueries: 1 },
  )
  expect(searched).toEqual([['who'], ['first']])
  expect(result.trace.fallback).toBeUndefined()
  expect(result.trace.steps.flatMap((step) => (step.type === 'retrieve' ? [step.reason] : []))).toEqual([
    undefined,
    'four, 3 of them within the budget',
  ])
})

it('finds nothing in later rounds that are too many or fail, and keeps what was found', async () => {
  const { result } = await during(
    async ({ search }) => {
      await search(['second'], [2], 'once')
      expect(await search(['first'], [2], 'too many')).toEqual([[]])
    },
    { rounds: 1 },
  )
  expect(result.hits.map(({ docid }) => docid)).toEqual(['c', 'a'])
  const later = await during(async ({ search }) => {
    await search(['second'], [2], 'once')
    expect(await search(['broken'], [2], 'fails')).toEqual([[]])
  })
  expect(later.result).toMatchObject({ trace: { partial: true }, hits: [{ docid: 'c' }, { docid: 'a' }] })
})

it('rejects if the first round is not possible', async () => {
  const { result } = await during(
    async ({ search }, tools) => {
      await tools.retrieve([{ text: 'second' }], { reason: 'another' })
      await search(['first'], [1], 'too many')
    },
    { rounds: 1 },
  )
  expect(result.trace.fallback?.code).toBe('budget-exceeded')
  expect(result.hits.map(({ docid }) => docid)).toEqual(['a'])
})

it('reads nothing where documents cannot be had', async () => {
  const work = async ({ search }: Reading): Promise<void> =>
    expect(await search(['first'], [2], 'why')).toEqual([[]])
  const { result } = await during(work, { broken: true })
  expect(result.hits).toHaveLength(5)
})

it('a policy that is re-ranked reads what each text has found as the re-ranker orders it for that text', async () => {
  const compared: unknown[] = []
  const rerank: Reranker = {
    rerank({ text }, lists, fused) {
      compared.push([text, lists.map(({ subQuery }) => subQuery.text)])
      return fused.toReversed().map((hit, place) => ({ ...hit, rank: place + 1 }))
    },
  }
  await during(
    async ({ search }) => {
      expect(docidsOf(await search(['first', 'who'], [2, 1], 'why'))).toEqual([['d'], ['a']])
      expect(docidsOf(await search(['first'], [2], 'why'))).toEqual([['c', 'b']])
    },
    { rerank },
  )
  expect(compared.slice(0, 3)).toEqual([
    ['first', ['first']],
    ['who', ['who']],
    ['first', ['first']],
  ])
})

it('does not search for what refers to something that it does not name', async () => {
  const { searched } = await during(async ({ search }) => {
    expect(docidsOf(await search(['first', 'mayor of that city'], [1, 1], 'why'))).toEqual([['a'], []])
  })
  expect(searched).toEqual([['who'], ['first']])
})
