import { expect, it } from 'vitest'
import { placeProbabilities } from '../../../fusion/common/hit-lists.ts'

it('learns from as many judged queries as a collection has', () => {
  const qids = Array.from({ length: 200_000 }, (_, query) => `q${query}`)
  const run = new Map(qids.map((qid) => [qid, [{ docid: 'a', score: 1, rank: 1 }]]))
  const qrels = new Map(qids.map((qid, query) => [qid, new Map([['a', query % 2]])]))
  expect(placeProbabilities(run, qrels)).toEqual([0.5])
})
