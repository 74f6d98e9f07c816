/**
 * Monte Carlo credit: the value of an action in a tree of rollouts is the mean reward of the leaves below it. C-3PO eq. 5,
 * SPARKLE eq. 2.
 */

import { checkOption } from '../learn/check-option.ts'

interface Action {
  /**
   * The agent whose action led to this node. Absent if no agent learns from the action: at the root, and after actions of
   * the LLM (a roadmap, an answer).
   */
  readonly agent?: string
}
/** A rollout that ended with an answer. */
export interface Leaf extends Action {
  readonly reward: number
}
/** A rollout that ended without an answer: after an invalid action, or at the depth limit. `failed` gives the reason. */
export interface FailedLeaf extends Action {
  readonly failed: string
}
/** A branch that was not expanded because it changes nothing (SPARKLE). */
export interface PrunedBranch extends Action {
  readonly pruned: true
}
/** An action that others followed. */
export interface Branch extends Action {
  readonly children: readonly RolloutNode[]
}

/** A state of the tree, after an action. Nodes may have additional properties. `treeCredit` returns credits by node. */
export type RolloutNode = Leaf | FailedLeaf | PrunedBranch | Branch

/**
 * The credit of actions that lead only to pruned branches. `none`: no credit. `inherit`: the credit of the parent, which is that of
 * the branches beside them. `{ penalty }`, 0 or above: the same less the penalty, and the actions beside them get it on top, as in
 * SPARKLE's code with 0.1.
 */
export type PruneCredit = 'none' | 'inherit' | { readonly penalty: number }

/**
 * The credit of each node: Σ R / n over all n leaves below it. Each leaf counts once, whatever its depth, so the credit is
 * not the mean of the children's credits. It lies between the lowest and the highest reward of those leaves.
 *
 * Failed leaves count with a reward of 0: ignoring them would make malformed actions free. This is Querent's choice; the
 * papers do not specify it. A node without leaves below it has no credit, except with `pruneCredit`.
 *
 * @example treeCredit({ children: [{ reward: 1 }, { failed: 'invalid action' }] }) // of the root: 1/2
 * @throws QuerentError `bad-config` for a negative penalty
 */
export function treeCredit(
  root: RolloutNode,
  { pruneCredit = 'none' }: { readonly pruneCredit?: PruneCredit } = {},
): ReadonlyMap<RolloutNode, number> {
  const penalty = typeof pruneCredit === 'object' ? pruneCredit.penalty : 0
  checkOption('penalty', penalty, penalty >= 0, '0 or above')
  const means = new Map<RolloutNode, number>()
  collect(root, means)
  const credits = new Map<RolloutNode, number>()
  const assign = (node: RolloutNode, credit: number | undefined): void => {
    if (credit !== undefined) credits.set(node, credit)
    if (!('children' in node)) return
    const inherited = pruneCredit === 'none' ? undefined : (means.get(node) ?? credit)
    const isFork = means.has(node) && node.children.some((child) => !means.has(child))
    const own = isFork ? penalty : 0
    for (const child of node.children) {
      const mean = means.get(child)
      if (mean !== undefined) assign(child, mean + own)
      else assign(child, inherited === undefined ? undefined : inherited - own)
    }
  }
  assign(root, means.get(root))
  return credits
}

function collect(node: RolloutNode, means: Map<RolloutNode, number>): { sum: number; leaves: number } {
  let sum = 0
  let leaves = 0
  if ('children' in node) {
    for (const child of node.children) {
      const below = collect(child, means)
      sum += below.sum
      leaves += below.leaves
    }
  } else if (!('pruned' in node)) {
    sum = 'reward' in node ? node.reward : 0
    leaves = 1
  }
  if (leaves > 0) means.set(node, sum / leaves)
  return { sum, leaves }
}
