/**
 * Monte-Carlo credit: what an action of a tree of rollouts is worth is the mean reward of the leaves that can be reached from
 * it. C-3PO eq. 5, SPARKLE eq. 2.
 */

interface Action {
  /** Whose action led here. Absent where nobody learns from it: at the root, and after what the LLM does (a roadmap, an answer). */
  readonly agent?: string
}
/** A rollout that ended with an answer. */
interface Leaf extends Action {
  readonly reward: number
}
/** A rollout that ended without one: an invalid action, or too deep. `failed` says why. */
interface FailedLeaf extends Action {
  readonly failed: string
}
/** A branch that was not followed since it changes nothing (SPARKLE). */
interface PrunedBranch extends Action {
  readonly pruned: true
}
interface Branch extends Action {
  readonly children: readonly RolloutNode[]
}

/** A state of the tree, after an action. Nodes may carry whatever else the caller needs; credit is looked up by the node. */
export type RolloutNode = Leaf | FailedLeaf | PrunedBranch | Branch

/** What becomes of actions that lead to pruned branches only. `none`: no credit. `inherit`: that of the node above. */
export type PruneCredit = 'none' | 'inherit'

/**
 * The credit of each node: Σ R / n over all n leaves below it, each leaf counting once however deep it is (so not the mean of
 * the children's credits), within the least and the greatest reward of those leaves.
 *
 * Failed leaves count, with a reward of 0: left out, they would make malformed actions free. That is a reading of ours; the
 * papers are silent. A node without leaves below it has no credit, except with `pruneCredit: 'inherit'`.
 *
 * @example treeCredit({ children: [{ reward: 1 }, { failed: 'invalid action' }] }) // of the root: 1/2
 */
export function treeCredit(
  root: RolloutNode,
  { pruneCredit = 'none' }: { readonly pruneCredit?: PruneCredit } = {},
): ReadonlyMap<RolloutNode, number> {
  const means = new Map<RolloutNode, number>()
  collect(root, means)
  const credits = new Map<RolloutNode, number>()
  const assign = (node: RolloutNode, above: number | undefined): void => {
    const credit = means.get(node) ?? (pruneCredit === 'inherit' ? above : undefined)
    if (credit !== undefined) credits.set(node, credit)
    if ('children' in node) for (const child of node.children) assign(child, credit)
  }
  assign(root, undefined)
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
