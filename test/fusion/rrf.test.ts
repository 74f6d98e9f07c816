import { expect, it } from 'vitest'
import { rrf } from '../../fusion/rrf.ts'
import { docidsOf, ranked, scoresOf } from './lists.ts'

const lists = [ranked('a', 'b', 'c'), ranked('c', 'a')]

it('adds 1 / (60 + rank)', () => {
  const { a, b, c } = scoresOf(rrf().fuse(lists))
  expect(a).toBe(1 / 61 + 1 / 62)
  expect(b).toBe(1 / 62)
  expect(c).toBe(1 / 63 + 1 / 61)
})

it('adds w / (k + rank)', () => {
  const hits = rrf({ k: 1 }).fuse(lists, { weights: [1, 4], provenance: true })
  // a: 1/2 + 4/3; c: 1/4 + 4/2; b: 1/3
  expect(scoresOf(hits)).toEqual({ a: 1 / 2 + 4 / 3, b: 1 / 3, c: 1 / 4 + 2 })
  expect(docidsOf(hits)).toEqual(['c', 'a', 'b'])
  // c: one ninth of 9/4 is from the first list, eight ninths from the second.
  expect(hits[0]!.provenance!.map(({ weight, share }) => [weight, share])).toEqual([
    [1, 1 / 9],
    [4, 8 / 9],
  ])
})
