/** The best line of a document, and what a search spent its time with. */
import { expect, it } from 'vitest'
import { passageOf, piecesOf, termsOf } from '../../src/page/passage.ts'
import { beforeRows, countsOf } from '../../src/page/story.ts'
import { timelineOf } from '../../src/page/timeline.ts'

it('begins a passage where most of the words are, and marks neighbors as one', () => {
  const text =
    'It came out in 1897, and has been in print since, in many languages. A count comes ashore at Whitby. Bram Stoker never went there, and was born elsewhere.'
  const terms = termsOf(['Where was Bram Stoker born?'])
  const passage = passageOf(text, terms)
  expect(passage).toBe(
    '… A count comes ashore at Whitby. Bram Stoker never went there, and was born elsewhere.',
  )
  expect(piecesOf(passage, terms).filter(({ isMarked }) => isMarked)).toEqual([
    { text: 'Bram Stoker', isMarked: true },
    { text: 'born', isMarked: true },
  ])
  expect(
    piecesOf(text, terms)
      .map((piece) => piece.text)
      .join(''),
  ).toBe(text)
  expect(passageOf('Nothing of it', terms)).toBe('Nothing of it')
})

const ranks = new Map(Array.from({ length: 60 }, (_, at) => [`d${at + 1}`, at + 1]))
const before = { ranks }

it('shows the first of the list before, and below a gap what came up from further down', () => {
  const after = ['d7', 'd6', 'd54', 'd10', 'd3', 'd2', 'new', 'd1']
  const rows = beforeRows(before, after, ['d6', 'd40'])
  expect(rows.map(({ rank }) => rank)).toEqual([1, 2, 3, 4, 5, 6, 7, 10, 40, 54])
  expect(rows.filter(({ isFar }) => isFar).map(({ rank }) => rank)).toEqual([10, 40, 54])
})

it('counts what is needed, what rose and what is new', () => {
  const hits = ['d7', 'd2', 'new', 'd54', 'd5'].map((docid, at) => ({ docid, rank: at + 1, score: 0 }))
  expect(countsOf(hits, before, ['d7', 'd54', 'd1'])).toEqual({
    before: 1,
    after: 2,
    risen: 2,
    added: 1,
    moved: 3,
  })
})

it('divides the time of a search, each moment once', () => {
  const step = { type: 'retrieve', subQueries: [], legs: [] } as const
  const parts = timelineOf({
    steps: [
      { ...step, round: 0, startMs: 0, ms: 10 },
      { ...step, round: 1, startMs: 30, ms: 20 },
      { type: 'rerank', startMs: 50, ms: 45, pool: 3 },
    ],
    times: { total: 100, deciding: 30, retrieving: 30, fusing: 0, reranking: 45 },
  })
  expect(parts).toEqual([
    { name: 'your words', ms: 10 },
    { name: 'deciding', ms: 20 },
    { name: 'searches', ms: 20 },
    { name: 're-ranking', ms: 45 },
    { name: 'the rest', ms: 5 },
  ])
})
