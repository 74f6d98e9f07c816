/** Decisions and re-ranking in other threads: the same to the bit, and a thread that ends costs its own searches only. */
// As it was built: threads are started from JavaScript.
import { type LocalPolicy, localPolicy } from 'querent/policies/local'
import { expect, it } from 'vitest'
import { buildWinkBm25 } from '../../../../adapters/search/wink-bm25.ts'
import { readBeir } from '../../../../src/evaluation/beir-folder.ts'
import { createOptimizer } from '../../../../src/optimizer.ts'
import type { SearchResult } from '../../../../src/types.ts'
import { finderOf } from '../../../support/finder.ts'
import { sampleDocuments, sampleFolder } from '../../../support/small-policy.ts'

const documents = await sampleDocuments()
const retrievers = [await buildWinkBm25(documents)]
const { queries } = await readBeir(sampleFolder)
const questions = [
  ...queries.slice(0, 10),
  {
    text: 'and who directed it?',
    history: [{ role: 'user', text: 'Tell me about The Seventh Seal' }] as const,
  },
  { text: 'lone \ud800 surrogate, “Ingmar Bergman” 東京' },
]

const optimizerOf = (made: LocalPolicy) =>
  createOptimizer({ retrievers, documents: finderOf(documents), k: 50, budget: { timeout: 60_000 }, ...made })

/** All but what differs from run to run: times. */
const comparable = ({ hits, trace }: SearchResult) => ({
  hits,
  trace: JSON.parse(
    JSON.stringify(trace, (key, value) => (/ms$/i.test(key) || key === 'times' ? undefined : value)),
  ),
})

it('has the decisions, hits and scores of this thread, to the bit', async () => {
  const here = optimizerOf(await localPolicy())
  const there = optimizerOf(await localPolicy({ workers: 2 }))
  const answers = await Promise.all(questions.map((question) => there.search(question)))
  for (const [place, question] of questions.entries()) {
    const expected = comparable(await here.search(question))
    expect(comparable(answers[place]!)).toEqual(expected)
    expect(expected.trace.fallback).toBeUndefined()
  }
  expect(answers.some(({ hits }) => hits.some(({ fused }) => fused !== undefined))).toBe(true)
  await there.close()
})

it('keeps to a smaller budget as this thread does', async () => {
  const [here, there] = await Promise.all(
    [0, 2].map(async (workers) =>
      createOptimizer({
        retrievers,
        documents: finderOf(documents),
        budget: { subQueries: 4, timeout: 60_000 },
        ...(await localPolicy({ workers })),
      }),
    ),
  )
  const most: number[] = []
  for (const question of questions) {
    const [one, other] = await Promise.all([here!.search(question), there!.search(question)])
    expect(comparable(other)).toEqual(comparable(one))
    expect(one.trace.fallback).toBeUndefined()
    for (const step of one.trace.steps) if (step.type === 'retrieve') most.push(step.subQueries.length)
  }
  expect(Math.max(...most)).toBe(4)
  await there!.close()
})

it('does not re-rank for a search that has ended while others had the thread', async () => {
  const { policy, rerank } = await localPolicy({ workers: 1 })
  const documentOf = (docid: string) => documents.find((document) => document.docid === docid)
  const [ended, reason] = [new AbortController(), new Error('the search has ended')]
  const lists = await Promise.all(
    ['The Seventh Seal', 'Rear Window'].map(async (text) => {
      const [leg] = await retrievers[0]!.retrieve([{ text, round: 0 }], { k: 20 })
      return { retriever: 'bm25', subQuery: { text, round: 0 }, hits: leg!.hits! }
    }),
  )
  const [first, withdrawn] = lists.map((list, place) =>
    rerank!.rerank({ text: list.subQuery.text }, [list], list.hits, documentOf, {
      ...(place === 1 && { signal: ended.signal }),
    }),
  )
  ended.abort(reason)
  await expect(withdrawn).rejects.toBe(reason)
  expect((await first!).length).toBeGreaterThan(0)
  await policy.close!()
})
