import { describe, expect, it } from 'vitest'
import { fusionByName } from '../fusion/index.ts'
import { acqo } from '../policies/acqo/acqo.ts'
import { explain } from '../src/explain.ts'
import { createOptimizer } from '../src/optimizer.ts'
import { parseTrace } from '../src/trace-schema.ts'
import { expectError } from './support/expect-error.ts'
import { scriptedChat, scriptedRetriever } from './support/scripted.ts'
import { untrainedFusions } from './support/untrained-fusions.ts'

const found = { first: ['c', 'a', 'b'], second: ['d', 'a'] }
const chat = () => scriptedChat(['{"query": "first%%second"}'])
const retrievers = [
  scriptedRetriever({ found }),
  scriptedRetriever({ name: 'dense', found: { ...found, first: ['b', 'e', 'a', 'f'] } }),
]

describe.each(untrainedFusions)('%s', (name) => {
  it.each([undefined, 'min-max'])(
    'recomputes every score to 1e-12 (norm: %s), from a trace that was written and read',
    async (norm) => {
      const fusion = fusionByName(name)
      const { trace, hits } = await createOptimizer({
        retrievers,
        policy: acqo(),
        chat: chat(),
        fusion,
        norm,
      }).search('who')
      expect(trace.fallback).toBeUndefined()
      const explanations = explain(parseTrace(JSON.parse(JSON.stringify(trace)), 'here'), fusion)
      expect(explanations.map(({ docid }) => docid)).toEqual(hits.map(({ docid }) => docid))
      for (const { score, recomputed } of explanations)
        expect(Math.abs(recomputed! - score)).toBeLessThanOrEqual(1e-12)
    },
  )
})

it('says what each list gave: a leads nowhere and comes from four lists', async () => {
  const fusion = fusionByName('rank-score')
  const { trace } = await createOptimizer({ retrievers, policy: acqo(), chat: chat() }).search('who')
  const a = explain(trace, fusion).find(({ docid }) => docid === 'a')
  // 1/2 and 1/2 in bm25, 1/3 and 1/2 in dense
  expect(a?.score).toBeCloseTo(1 / 2 + 1 / 2 + 1 / 3 + 1 / 2, 12)
  expect(a?.contributions).toMatchObject([
    { retriever: 'bm25', subQuery: { text: 'first' }, rank: 2, score: 2 },
    { retriever: 'bm25', subQuery: { text: 'second' }, rank: 2, score: 1 },
    { retriever: 'dense', subQuery: { text: 'first' }, rank: 3, score: 2 },
    { retriever: 'dense', subQuery: { text: 'second' }, rank: 2, score: 1 },
  ])
  expect(a?.contributions.reduce((sum, { share = 0 }) => sum + share, 0)).toBeCloseTo(1, 12)
})

it('refuses a trace of another method', async () => {
  const { trace } = await createOptimizer({ retrievers }).search('first')
  expectError(() => explain(trace, fusionByName('rrf')), 'bad-config')
})
