import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { blendFusedRank } from '../../../../policies/local/rerank/blend-fused-rank.ts'
import { firstInputs, secondInputs } from '../../../../policies/local/rerank/features.ts'
import { poolOf } from '../../../../policies/local/rerank/pool.ts'
import { createPoolScorer, scoredBy } from '../../../../policies/local/rerank/rerank.ts'
import { createReader } from '../../../../src/text/reader.ts'
import type { Document, RankedList } from '../../../../src/types.ts'
import { linear } from '../../../support/small-scorers.ts'

const listOf = (text: string, docids: string): RankedList => ({
  retriever: 'bm25',
  kind: 'lexical',
  subQuery: { text, round: 1 },
  hits: [...docids].map((docid, place) => ({ docid, rank: place + 1, score: 9 - place })),
})

describe('blendFusedRank', () => {
  const { candidates } = poolOf([listOf('letters', 'abcd')], 'letters', 10)
  const { hits: fused } = listOf('letters', 'bca')

  it('takes the weighted logarithm of the fused rank from the score; what was not fused is next', () => {
    const scores = blendFusedRank(Float64Array.of(-1, -2, -3, -4), candidates, fused, 0.5)
    // By hand: a is third, b first, c second, d fourth.
    const expected = [-1 - 0.5 * Math.log(3), -2, -3 - 0.5 * Math.log(2), -4 - 0.5 * Math.log(4)]
    scores.forEach((score, row) => {
      expect(score).toBeCloseTo(expected[row]!, 12)
    })
  })

  it('changes nothing with the weight 0, and orders equal scores as they were fused', () => {
    const four = fc.array(fc.double({ min: -9, max: 0, noNaN: true }), { minLength: 4, maxLength: 4 })
    fc.assert(
      fc.property(four, (drawn) => {
        const scores = Float64Array.from(drawn)
        expect(blendFusedRank(scores, candidates, fused, 0)).toEqual(scores)
      }),
    )
    const [a, b, c, d] = blendFusedRank(new Float64Array(4), candidates, fused, 0.5)
    expect(b! > c! && c! > a! && a! > d!).toBe(true)
  })
})

describe('scoredBy, after a language model', () => {
  const { scores, explain } = createPoolScorer(
    { first: [linear(firstInputs)], second: [linear(secondInputs)], pair: [] },
    createReader({ documents: 10, stems: {} }),
  )
  const documentOf = (docid: string): Document => ({ docid, text: 'Some text.' })
  const order = async (afterRewrites: boolean, lists: readonly RankedList[]): Promise<string> => {
    const reranker = scoredBy(scores, explain, afterRewrites)
    const fused = listOf('', 'cba').hits
    const hits = await reranker.rerank({ text: 'letters' }, lists, fused, documentOf)
    return hits.map(({ docid }) => docid).join('')
  }

  it('listens to the fused order where other texts were searched, and nowhere else', async () => {
    // The scores are equal, so documents stay in the pool's order.
    const [original, rewrite] = [listOf('letters', 'abc'), listOf('a rewrite', 'cba')]
    expect(await order(true, [original, rewrite])).toBe('cba')
    expect(await order(false, [original, rewrite])).toBe('abc')
    expect(await order(true, [original])).toBe('abc')
  })

  it('leaves a known item first', async () => {
    const { hits, ...rest } = listOf('letters', 'abc')
    const original = { ...rest, hits: hits.map((hit) => ({ ...hit, score: 9 / hit.rank })) }
    expect(await order(true, [original, listOf('a rewrite', 'cba')])).toBe('acb')
  })
})
