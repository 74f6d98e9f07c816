import { expect, it } from 'vitest'
import { listsWithout } from '../../../../policies/local/training/without-relevant.ts'
import { example } from '../../../support/prepared.ts'

it('leaves out what is relevant, and closes the gaps', () => {
  const golds = new Map([
    ['gold', 1],
    ['judged', 0],
  ])
  const { lists } = example({ qid: 'q', golds: ['gold'], asIs: ['a', 'gold', 'judged', 'b'] })
  const [list] = listsWithout(lists, golds)
  expect(list!.hits.map(({ docid, rank }) => [docid, rank])).toEqual([
    ['a', 1],
    ['judged', 2],
    ['b', 3],
  ])
})
