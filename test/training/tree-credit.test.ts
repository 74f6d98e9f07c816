import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type RolloutNode, treeCredit } from '../../src/training/tree-credit.ts'
import { expectError } from '../support/expect-error.ts'
import { fraction, golden, type NamedTree } from '../support/golden.ts'
import { anyTree } from './trees.ts'

/** The tree as rollouts, and its nodes by their paths. */
function rollouts(tree: NamedTree): { root: RolloutNode; nodes: Map<string, RolloutNode> } {
  const nodes = new Map<string, RolloutNode>()
  const visit = (named: NamedTree, path: string): RolloutNode => {
    const node =
      typeof named === 'number'
        ? { reward: named }
        : {
            children: Object.entries(named).map(([action, below]) =>
              visit(below, path === '' ? action : `${path}/${action}`),
            ),
          }
    nodes.set(path === '' ? 'root' : path, node)
    return node
  }
  return { root: visit(tree, ''), nodes }
}

describe('C-3PO, eq. 5', () => {
  const { tree, credit, leafMeanNotChildMean } = golden.c3po
  const { root, nodes } = rollouts(tree)

  it.each(Object.entries(credit))('%s: %s', (path, expected) =>
    expect(treeCredit(root).get(nodes.get(path)!)).toBe(fraction(expected)),
  )

  it('counts leaves, not children', () => {
    const { root: uneven } = rollouts(leafMeanNotChildMean.tree)
    expect(treeCredit(uneven).get(uneven)).toBe(fraction(leafMeanNotChildMean.leafMean))
  })

  it('counts a rollout that failed as 0', () => {
    const failed = { failed: 'Invalid Action' }
    const both = { children: [{ reward: 1 }, failed] }
    expect(treeCredit(both).get(both)).toBe(1 / 2)
    expect(treeCredit(both).get(failed)).toBe(0)
  })
})

describe('SPARKLE, eq. 2', () => {
  const { leaves, node_t1_yes, node_t1_no, if_NY_pruned } = golden.sparkle.tree
  const leaf = (name: keyof typeof leaves): RolloutNode => ({ reward: fraction(leaves[name]) })

  it('is the mean of the leaves', () => {
    const yes = { children: [leaf('YY'), leaf('YN')] }
    const no = { children: [leaf('NY'), leaf('NN')] }
    const credits = treeCredit({ children: [yes, no] })
    expect(credits.get(yes)).toBeCloseTo(fraction(node_t1_yes), 14)
    expect(credits.get(no)).toBeCloseTo(fraction(node_t1_no), 14)
  })

  const selected = { pruned: true as const }
  const formulated = { children: [selected] }
  const pruned = { children: [formulated] }
  const no = { children: [pruned, leaf('NN')] }
  const root = { children: [{ children: [leaf('YY'), leaf('YN')] }, no] }

  it('leaves a pruned branch out', () => {
    const credits = treeCredit(root)
    expect(credits.get(no)).toBe(fraction(if_NY_pruned.node_t1_no))
    expect(credits.get(root)).toBeCloseTo(fraction(if_NY_pruned.root), 14)
    for (const node of [selected, formulated, pruned]) expect(credits.has(node)).toBe(false)
  })

  it('gives it what the other branch has, by option', () => {
    const credits = treeCredit(root, { pruneCredit: 'inherit' })
    for (const node of [selected, formulated, pruned]) expect(credits.get(node)).toBe(credits.get(no))
    expect(credits.get(root)).toBeCloseTo(fraction(if_NY_pruned.root), 14)
  })

  it("takes a penalty from it and gives it to the other one, by option: the authors' code", () => {
    const credits = treeCredit(root, { pruneCredit: { penalty: 0.1 } })
    const mean = fraction(if_NY_pruned.node_t1_no)
    for (const node of [selected, formulated, pruned]) expect(credits.get(node)).toBeCloseTo(mean - 0.1, 14)
    expect(credits.get(no.children[1]!)).toBeCloseTo(mean + 0.1, 14)
    // Above the fork, credits are the means of leaves.
    expect(credits.get(no)).toBe(mean)
    expect(credits.get(root)).toBeCloseTo(fraction(if_NY_pruned.root), 14)
    expectError(() => treeCredit(root, { pruneCredit: { penalty: -0.1 } }), 'bad-config', /penalty/)
  })

  it('has none where nothing is left', () => {
    const nothing = { children: [{ pruned: true as const }, { children: [] }] }
    expect(treeCredit(nothing, { pruneCredit: 'inherit' }).size).toBe(0)
  })
})

it('lies between the least and the greatest reward of the leaves', () => {
  const rewardsBelow = (node: RolloutNode): number[] =>
    'children' in node ? node.children.flatMap(rewardsBelow) : ['reward' in node ? node.reward : 0]
  fc.assert(
    fc.property(anyTree, (root) => {
      for (const [node, credit] of treeCredit(root)) {
        const rewards = rewardsBelow(node)
        expect(credit).toBeGreaterThanOrEqual(Math.min(...rewards) - 1e-12)
        expect(credit).toBeLessThanOrEqual(Math.max(...rewards) + 1e-12)
      }
    }),
  )
})
