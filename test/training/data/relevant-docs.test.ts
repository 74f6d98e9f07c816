import { expect, it } from 'vitest'
import { lookUpGolds, relevantOf } from '../../../src/training/data/relevant-docs.ts'
import { openedIndex, qrels } from '../../adapters/apps/reward-server/opened.ts'

it('grades of 0 and below are not relevant', () => {
  expect(
    relevantOf(
      new Map([
        ['a', 2],
        ['b', 0],
        ['c', -1],
        ['d', 1],
      ]),
    ),
  ).toEqual(['a', 'd'])
  expect(relevantOf(undefined)).toEqual([])
})

it('looks relevant documents up, however many there are', async () => {
  const { documents } = await openedIndex()
  const many = new Map(Array.from({ length: 600 }, (_, index): [string, number] => [`lost${index}`, 1]))
  const { golds, indexed } = await lookUpGolds(documents, new Map([...qrels, ['q9', many]]))
  expect(golds.size).toBe(602)
  expect([...indexed].sort()).toEqual(['dune', 'emma'])
})
