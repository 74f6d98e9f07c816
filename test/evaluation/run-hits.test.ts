import { expect, it } from 'vitest'
import { runHits } from '../../src/evaluation/run-hits.ts'
import { createOptimizer, type OptimizerOptions } from '../../src/optimizer.ts'
import type { Reranker } from '../../src/reranker.ts'
import { scriptedRetriever } from '../support/scripted.ts'

const found = { who: ['a', 'b', 'c'] }
const bm25 = scriptedRetriever({ found })
const documents: OptimizerOptions['documents'] = async (docids) =>
  docids.map((docid) => ({ docid, text: docid }))

const backwards: Reranker = {
  needs: (_query, lists) => lists.flatMap(({ hits }) => hits.map(({ docid }) => docid)),
  rerank: (_query, _lists, hits) =>
    hits.toReversed().map((hit, at) => ({ ...hit, score: 9 - at, rank: at + 1 })),
  explain: () => [],
}

const scoresOf = async (options: Partial<OptimizerOptions>) =>
  runHits(await createOptimizer({ retrievers: [bm25], ...options }).search('who')).map(
    ({ docid, score }) => [docid, score] as const,
  )

it('has the scores of a single list, whatever the fusion', async () => {
  expect(await scoresOf({})).toEqual([
    ['a', 3],
    ['b', 2],
    ['c', 1],
  ])
  expect(await scoresOf({ norm: 'min-max' })).toEqual([
    ['a', 3],
    ['b', 2],
    ['c', 1],
  ])
})

it('has the fused scores of several lists, and those of re-ranking', async () => {
  const retrievers = [bm25, scriptedRetriever({ name: 'dense', found })]
  expect(await scoresOf({ retrievers })).toEqual([
    ['a', 2],
    ['b', 1],
    ['c', 2 / 3],
  ])
  expect(await scoresOf({ rerank: backwards, documents })).toEqual([
    ['c', 9],
    ['b', 8],
    ['a', 7],
  ])
})

it('keeps no documents and no provenance', async () => {
  const [hit] = runHits(await createOptimizer({ retrievers: [bm25], documents }).search('who'))
  expect(hit).toEqual({ docid: 'a', score: 3, rank: 1 })
})
