/** What the completions of agents are worth. */
import { type Explored, nodesOf } from '../exploring/tree.ts'
import { type RolloutNode, treeCredit } from '../tree-credit.ts'
import type { RolloutPlan } from './plan.ts'

/** Of each agent's completion: the mean reward below it, and the penalty of its own. */
export function valuesOf(
  tree: Explored,
  { penalty = () => 0, pruneCredit = 'none' }: Pick<RolloutPlan, 'penalty' | 'pruneCredit'>,
): ReadonlyMap<RolloutNode, number> {
  const credits = treeCredit(tree, { pruneCredit })
  const values = new Map<RolloutNode, number>()
  for (const node of nodesOf(tree)) {
    const credit = credits.get(node)
    if (node.agent === undefined || credit === undefined) continue
    const below = [...nodesOf(node)].slice(1).map(({ action }) => action)
    values.set(node, credit + penalty(node.action, below))
  }
  return values
}
