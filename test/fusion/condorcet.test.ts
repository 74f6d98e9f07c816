import { expect, it } from 'vitest'
import { condorcet } from '../../fusion/condorcet.ts'
import { weightedCondorcet } from '../../fusion/weighted-condorcet.ts'
import { docidsOf, ranked, scoresOf } from './lists.ts'

it('scores the documents that it beats minus those that beat it', () => {
  // a beats b (2 : 1) and c (2 : 1); b beats c (2 : 1).
  const hits = condorcet().fuse([ranked('a', 'b', 'c'), ranked('a', 'b', 'c'), ranked('c', 'b', 'a')])
  expect(scoresOf(hits)).toEqual({ a: 2, b: 0, c: -2 })
})

it('ranks an absent document below a present one, and ignores lists that have neither', () => {
  // a : b is 1 : 1, a : c is 1 : 1 and b : c is 1 : 0, since the first list has neither.
  const hits = condorcet().fuse([ranked('a'), ranked('b', 'c')])
  expect(scoresOf(hits)).toEqual({ a: 0, b: 1, c: -1 })
})

it('gives the documents of a cycle equal scores, and orders them by docid', () => {
  const circle = [ranked('b', 'c', 'a', 'z'), ranked('c', 'a', 'b', 'z'), ranked('a', 'b', 'c', 'z')]
  const hits = condorcet().fuse(circle)
  expect(scoresOf(hits)).toEqual({ a: 1, b: 1, c: 1, z: -3 })
  expect(docidsOf(hits)).toEqual(['a', 'b', 'c', 'z'])
})

it("counts a list's weight as its votes", () => {
  const lists = [ranked('a', 'b'), ranked('b', 'a'), ranked('b', 'a')]
  expect(docidsOf(weightedCondorcet().fuse(lists))).toEqual(['b', 'a'])
  expect(docidsOf(weightedCondorcet().fuse(lists, { weights: [0.6, 0.2, 0.2] }))).toEqual(['a', 'b'])
})

it('treats votes as equal if only rounding separates them', () => {
  // 0.1 + 0.2 − 0.3 is 5.6e-17: with these weights a and b are as equal as with 1, 2 and 3.
  const lists = [ranked('a', 'b'), ranked('a', 'b'), ranked('b', 'a')]
  for (const weights of [
    [0.1, 0.2, 0.3],
    [1, 2, 3],
  ])
    expect(scoresOf(weightedCondorcet().fuse(lists, { weights }))).toEqual({ a: 0, b: 0 })
  const nearly = weightedCondorcet().fuse(lists, { weights: [0.1, 0.2, 0.300001] })
  expect(scoresOf(nearly)).toEqual({ a: -1, b: 1 })
})
