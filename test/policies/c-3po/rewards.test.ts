import { describe, expect, it } from 'vitest'
import { actionsAt, judgeReward } from '../../../policies/c-3po/rewards.ts'
import { treeCredit } from '../../../src/training/tree-credit.ts'

it('samples two actions up to depth 4, then one (eq. 2)', () =>
  expect([0, 1, 2, 3, 4, 5, 6].map(actionsAt)).toEqual([2, 2, 2, 2, 2, 1, 1]))

it.each([
  ['True', 1],
  [' true.', 1],
  ['**"True"**', 1],
  ["'false'", 0],
  ['False', 0],
  ['This is not true.', 0],
  ['untrue', 0],
  ['Truely', 0],
  ['', 0],
])('the judge\'s "%s" is %i', (answer, reward) => expect(judgeReward(answer)).toBe(reward))

describe('the documents of the Decision Maker and the LLM', () => {
  it('earn what they lead to: keeping none is no failure', () => {
    const keptNone = { agent: 'filter', children: [{ reward: judgeReward('True') }] }
    const invalid = { agent: 'filter', failed: 'Invalid Document Idx' }
    const credits = treeCredit({ children: [keptNone, invalid] })
    expect([keptNone, invalid].map((node) => credits.get(node))).toEqual([1, 0])
  })
})
