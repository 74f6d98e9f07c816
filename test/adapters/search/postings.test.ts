import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  collectPostings,
  countWords,
  type Postings,
  searchPostings,
} from '../../../adapters/search/postings.ts'
import { rankHits } from '../../../src/rank.ts'

/** Postings of documents given as token → weight. */
function postingsOf(documents: readonly Readonly<Record<string, number>>[]): Postings {
  const words = [...new Set(documents.flatMap((document) => Object.keys(document)))]
  const entries = words.map((word) =>
    documents.flatMap((document, position) =>
      document[word] === undefined ? [] : [[position, document[word]]],
    ),
  )
  const ends = entries.map((_, index) => entries.slice(0, index + 1).flat().length)
  return {
    docids: documents.map((_, position) => `d${position}`),
    tokens: new Map(words.map((word, index) => [word, index])),
    offsets: Uint32Array.from([0, ...ends]),
    documents: Uint32Array.from(entries.flat().map(([position]) => position!)),
    weights: Float64Array.from(entries.flat().map(([, weight]) => weight!)),
  }
}

it('sums the weights of the words of the query', () => {
  const postings = postingsOf([{ a: 1, b: 2 }, { b: 4 }, { c: 8 }])
  expect(searchPostings(postings, countWords(['a', 'b', 'b', 'unknown']), 10)).toEqual([
    { docid: 'd1', score: 4 + 4, rank: 1 },
    { docid: 'd0', score: 1 + 2 + 2, rank: 2 },
  ])
  expect(searchPostings(postings, new Map(), 10)).toEqual([])
  expect(searchPostings(postingsOf([]), countWords(['a']), 10)).toEqual([])
})

it('gives the first k of all documents in our order', () => {
  const document = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), fc.integer({ min: 1, max: 4 }))
  const query = fc.array(fc.constantFrom('a', 'b', 'c', 'e'), { maxLength: 5 })
  fc.assert(
    fc.property(
      fc.array(document, { maxLength: 60 }),
      query,
      fc.integer({ min: 1, max: 70 }),
      (documents, words, k) => {
        const scored = documents.map((weights, position) => ({
          docid: `d${position}`,
          score: words.reduce((sum, word) => sum + (weights[word] ?? 0), 0),
        }))
        const expected = rankHits(
          scored.filter(({ score }) => score > 0),
          k,
        )
        expect(searchPostings(postingsOf(documents), countWords(words), k)).toEqual(expected)
      },
    ),
  )
})

it('collects the weights of documents', () => {
  const weights = [{ b: 2, a: 1 }, {}, { c: 8, b: 4 }]
  const postings = collectPostings()
  for (const [position, one] of weights.entries()) postings.add(`d${position}`, new Map(Object.entries(one)))
  expect(postings.finish()).toEqual(postingsOf(weights))
  expect(collectPostings().finish()).toEqual(postingsOf([]))
})
