/** Decisions and re-ranking in other threads: the same to the bit, and a thread that ends costs its own searches only. */
// As it was built: threads are started from JavaScript.
import { type LocalPolicy, localPolicy } from 'querent/policies/local'
import { expect, it } from 'vitest'
import { buildWinkBm25 } from '../../../adapters/search/wink-bm25.ts'
import { glanceInputs } from '../../../policies/local/gate/glance.ts'
import { readPolicy } from '../../../policies/local/policy-store.ts'
import { shippedPath } from '../../../policies/local/shipped.ts'
import { readBeir } from '../../../src/evaluation/beir-folder.ts'
import { createOptimizer } from '../../../src/optimizer.ts'
import type { SearchResult } from '../../../src/types.ts'
import { finderOf } from '../../support/finder.ts'
import { sampleDocuments, sampleFolder } from '../../support/small-policy.ts'
import { linear } from '../../support/small-scorers.ts'

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

it('ends the same searches after their first request as this thread', async () => {
  const file = await readPolicy(shippedPath('bm25'))
  // Worth more the more of the question one document says, so that the questions go both ways.
  const glance = [linear(glanceInputs, { 'coverage: best of five': 0.2, 'scores: hits': -0.12 })]
  const spared = { ...file, rerank: { ...file.rerank!, glance } }
  const sparing = (made: LocalPolicy) =>
    createOptimizer({ retrievers, documents: finderOf(documents), sparing: true, ...made })
  const here = sparing(await localPolicy({ file: spared, effort: 'low' }))
  const there = sparing(await localPolicy({ file: spared, effort: 'low', workers: 2 }))
  const ended: boolean[] = []
  for (const question of questions) {
    const [one, other] = await Promise.all([here.search(question), there.search(question)])
    expect(comparable(other)).toEqual(comparable(one))
    ended.push(one.trace.reason.includes('good enough'))
  }
  expect(new Set(ended)).toEqual(new Set([true, false]))
  await there.close()
})
