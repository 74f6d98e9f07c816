import { describe, expect, it } from 'vitest'
import { byCodeUnit, byScore, byTrecEval, rankHits } from '../src/rank.ts'

describe('the orders of hits', () => {
  const hits = [
    { docid: 'b', score: 1 },
    { docid: 'a', score: 1 },
    { docid: 'c', score: 2 },
  ]

  it('are score descending, then docid ascending; trec_eval orders by docid descending', () => {
    expect([...hits].sort(byScore).map(({ docid }) => docid)).toEqual(['c', 'a', 'b'])
    expect([...hits].sort(byTrecEval).map(({ docid }) => docid)).toEqual(['c', 'b', 'a'])
    expect(rankHits(hits, 2)).toEqual([
      { docid: 'c', score: 2, rank: 1 },
      { docid: 'a', score: 1, rank: 2 },
    ])
  })

  it('go by code unit and not by locale', () => {
    expect(['ä', 'b', 'B', 'a', '10', '2'].sort(byCodeUnit)).toEqual(['10', '2', 'B', 'a', 'b', 'ä'])
  })
})
