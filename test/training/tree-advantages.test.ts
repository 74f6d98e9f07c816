import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { treeAdvantages } from '../../src/training/tree-advantages.ts'
import { treeCredit } from '../../src/training/tree-credit.ts'
import { fraction, golden } from '../support/golden.ts'
import { anyTree } from './trees.ts'

/** SPARKLE's example: two steps, Yes and No at each, a query and a document after each Yes. */
const { leaves } = golden.sparkle.tree
const answer = (name: keyof typeof leaves) => ({ reward: fraction(leaves[name]) })
const retrieval = <Below>(below: Below) => ({
  agent: 'decision',
  children: [{ agent: 'query', children: [{ agent: 'knowledge', children: [below] }] }],
})
const none = <Below>(below: Below) => ({ agent: 'decision', children: [below] })
const secondYes = retrieval(answer('YY'))
const secondNo = none(answer('YN'))
const yes = retrieval({ children: [secondYes, secondNo] })
const thirdYes = retrieval(answer('NY'))
const thirdNo = none(answer('NN'))
const no = none({ children: [thirdYes, thirdNo] })
const root = { children: [yes, no] }

describe('among all actions of an agent', () => {
  it('a decision is compared with every decision of the tree', () => {
    // Credits of the six decisions: 0.715, 0.075, 1, 0.43, 0.15 and 0; mean 0.395.
    const credits = [0.715, 0.075, 1, 0.43, 0.15, 0]
    const squares = credits.reduce((sum, credit) => sum + (credit - 0.395) ** 2, 0)
    const advantages = treeAdvantages(root)
    for (const [index, node] of [yes, no, secondYes, secondNo, thirdYes, thirdNo].entries())
      expect(advantages.get(node)).toBeCloseTo((credits[index]! - 0.395) / Math.sqrt(squares / 5), 5)
  })

  it('a query is compared with queries', () => {
    // Of the three, 0.715, 1 and 0.15, the mean is 1.865 / 3.
    const advantages = treeAdvantages(root)
    const queries = [yes, secondYes, thirdYes].map(({ children }) => advantages.get(children[0]!)!)
    expect(queries[1]).toBeGreaterThan(queries[0]!)
    expect(queries.reduce((sum, advantage) => sum + advantage, 0)).toBeCloseTo(0, 12)
  })

  it("nobody's actions have none", () => {
    const advantages = treeAdvantages(root)
    expect(advantages.has(root)).toBe(false)
    expect(advantages.size).toBe(6 + 3 + 3)
  })

  it('are 0 where all credits are equal', () => {
    const [one, other] = [
      { agent: 'a', reward: 1 },
      { agent: 'a', failed: 'Max Depth' },
    ]
    expect([...treeAdvantages({ children: [one, { agent: 'a', reward: 1 }] }).values()]).toEqual([0, 0])
    expect(treeAdvantages({ children: [one, other] }).get(other)).toBeCloseTo(-Math.SQRT1_2, 5)
  })
})

describe('among siblings', () => {
  it('a decision is compared with the other in the same state', () => {
    const advantages = treeAdvantages(root, { among: 'siblings' })
    expect(advantages.get(yes)).toBeCloseTo((0.715 - 0.075) / 2, 14)
    expect(advantages.get(no)).toBeCloseTo((0.075 - 0.715) / 2, 14)
    expect(advantages.get(thirdNo)).toBeCloseTo(-0.075, 14)
  })

  it('an action without any has 0', () => {
    const advantages = treeAdvantages(root, { among: 'siblings' })
    expect(advantages.get(yes.children[0]!)).toBe(0)
  })
})

describe('a pruned decision', () => {
  const pruned = { agent: 'decision', children: [{ agent: 'query', pruned: true as const }] }
  const kept = none({ reward: 0.5 })
  const tree = { children: [{ children: [pruned, kept] }, { agent: 'decision', reward: 1 }] }

  it('is no sample', () => {
    expect(treeAdvantages(tree).has(pruned)).toBe(false)
    expect(treeAdvantages(tree, { among: 'siblings' }).get(kept)).toBe(0)
  })

  it("has the other's, by option", () => {
    const advantages = treeAdvantages(tree, { pruneCredit: 'inherit' })
    expect(advantages.get(pruned)).toBe(advantages.get(kept))
    expect(advantages.get(pruned)).toBeLessThan(0)
  })
})

it.each(['agent', 'siblings'] as const)('sum to 0 over a tree, and follow the credits: %s', (among) => {
  fc.assert(
    fc.property(anyTree, (tree) => {
      const advantages = treeAdvantages(tree, { among })
      const total = [...advantages.values()].reduce((sum, advantage) => sum + advantage, 0)
      expect(total).toBeCloseTo(0, 9)
      if (among === 'siblings') return
      const credits = treeCredit(tree)
      for (const [node, advantage] of advantages) {
        for (const [other, less] of advantages) {
          if (other.agent === node.agent && credits.get(node)! - credits.get(other)! > 1e-6)
            expect(advantage).toBeGreaterThan(less)
        }
      }
    }),
  )
})
