/** Where re-ranking hardly prefers another document, the first one stays. */
import { expect, it } from 'vitest'
import { firstInputs, secondInputs } from '../../../../policies/local/rerank/features.ts'
import { createPoolScorer } from '../../../../policies/local/rerank/rerank.ts'
import { createReader } from '../../../../src/text/reader.ts'
import type { RankedList } from '../../../../src/types.ts'
import { linear } from '../../../support/small-scorers.ts'

const hits = ['a', 'b', 'c'].map((docid, at) => ({ docid, score: 12 - at, rank: at + 1 }))
const words: RankedList = { retriever: 'words', subQuery: { text: 'who', round: 0 }, hits }

/** The order of a network whose scores differ by `weight` between a document and the next. */
function orderWith(weight: number, ...lists: readonly RankedList[]): string[] {
  const { scores } = createPoolScorer(
    {
      first: [linear(firstInputs)],
      // The inputs are 1, 1/2 and 1/3 of the three documents.
      second: [linear(secondInputs, { 'fused ÷ best': -weight })],
      pair: [],
    },
    createReader({ documents: 10, stems: {} }),
  )
  const found = scores({ text: 'who' }, lists, (docid) => ({ docid, text: `The text of ${docid}.` })).scores
  return [...found.entries()].sort(([, one], [, other]) => other - one).map(([row]) => hits[row]!.docid)
}

it('keeps the first document where others are likelier by less than e to the half', () => {
  // The last is likelier than the first by e to the power of two thirds of the weight.
  expect(orderWith(0.74, words)).toEqual(['a', 'c', 'b'])
  expect(orderWith(0.76, words)).toEqual(['c', 'b', 'a'])
})

it('keeps nothing where other texts or vectors were searched too', () => {
  expect(orderWith(0.1, words, { ...words, subQuery: { text: 'what', round: 0 } })).toEqual(['c', 'b', 'a'])
  expect(orderWith(0.1, words, { ...words, kind: 'dense' })).toEqual(['c', 'b', 'a'])
})
