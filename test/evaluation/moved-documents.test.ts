import { expect, it } from 'vitest'
import { movedDocuments } from '../../src/evaluation/moved-documents.ts'
import { hits } from '../support/scripted.ts'

const grades = new Map([
  ['a', 1],
  ['b', 2],
  ['c', 1],
  ['d', 1],
  ['wrong', 0],
])

it('names relevant documents by the largest change of 1/rank, and what stands in their place', () => {
  const before = hits('a', 'x', 'b', 'wrong', 'c')
  const now = hits('x', 'wrong', 'd', 'b', 'c')
  // a: 1 → 0; d: 0 → 1/3; b: 1/3 → 1/4; c does not move, and neither x nor wrong is relevant.
  expect(movedDocuments(before, now, grades)).toEqual([
    { docid: 'a', before: 1, instead: 'x' },
    { docid: 'd', now: 3, instead: 'b' },
    { docid: 'b', before: 3, now: 4, instead: 'd' },
  ])
})

it('names nothing in the place of a document behind the end of the other list', () => {
  expect(movedDocuments(hits('x', 'a'), hits('y'), grades)).toEqual([{ docid: 'a', before: 2 }])
})

it('is empty where nothing relevant moved', () => {
  expect(movedDocuments(hits('a', 'x'), hits('a', 'y'), grades)).toEqual([])
})
