/** Decisions and re-ranking in other threads: the same to the bit, and a thread that ends costs its own searches only. */
// As it was built: threads are started from JavaScript.
import { type LocalPolicy, localPolicy } from 'querent/policies/local'
import { expect, it } from 'vitest'
import { buildWinkBm25 } from '../../../adapters/search/wink-bm25.ts'
import { readBeir } from '../../../src/evaluation/beir-folder.ts'
import { createOptimizer } from '../../../src/optimizer.ts'
import type { SearchResult } from '../../../src/types.ts'
import { finderOf } from '../../support/finder.ts'
import { sampleDocuments, sampleFolder } from '../../support/small-policy.ts'

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

it('spares the same decisions as this thread', async () => {
  const [here, there] = await Promise.all(
    [0, 2].map(async (workers) =>
      createOptimizer({
        retrievers,
        documents: finderOf(documents),
        sparing: true,
        ...(await localPolicy({ workers })),
      }),
    ),
  )
  const spared: boolean[] = []
  for (const question of questions) {
    const [one, other] = await Promise.all([here!.search(question), there!.search(question)])
    expect(comparable(other)).toEqual(comparable(one))
    spared.push(one.trace.reason === 'left alone, by its wording and scores')
  }
  expect(new Set(spared)).toEqual(new Set([true, false]))
  await there!.close()
})
