/** Computes advantages from the credits of a tree of rollouts, for trainers without a critic. */

import { mean } from '../learn/statistics.ts'
import { groupBy } from '../runtime/group-by.ts'
import { groupAdvantages } from './advantage.ts'
import { type PruneCredit, type RolloutNode, treeCredit } from './tree-credit.ts'

export interface TreeAdvantages {
  /**
   * The group to which an action is compared.
   *
   * `agent` (default): all actions of its agent in the tree, with A = (r − mean) / (std + ε) as in `groupAdvantages`. This
   * is GRPO's process supervision (Shao et al., "DeepSeekMath", 2024, 4.1.3), except that a credit already includes all
   * later rewards.
   *
   * `siblings`: the actions of the same agent in the same state, with A = r − mean. It does not divide by the deviation,
   * since then any two siblings would get ±1/√2. An action without siblings has advantage 0.
   */
  readonly among?: 'agent' | 'siblings'
  /** Default: 1e-6. Only used for `agent`. */
  readonly epsilon?: number
  /** As in `treeCredit`. Actions without credit have no advantage. */
  readonly pruneCredit?: PruneCredit
  /** What actions are worth, where it is not their credit alone, such as with penalties of their own. Default: their credits. */
  readonly values?: ReadonlyMap<RolloutNode, number>
}

/**
 * The advantage of each action of an agent. Within a group, advantages sum to 0. This is Querent's method; C-3PO and SPARKLE
 * use PPO with a critic.
 *
 * @example
 *     const yes = { agent: 'decision', reward: 1 }, no = { agent: 'decision', reward: 0.5 }
 *     treeAdvantages({ children: [yes, no] }, { among: 'siblings' }).get(yes) // 1 − 0.75
 */
export function treeAdvantages(
  root: RolloutNode,
  { among = 'agent', epsilon = 1e-6, pruneCredit = 'none', values: given }: TreeAdvantages = {},
): ReadonlyMap<RolloutNode, number> {
  const credits = given ?? treeCredit(root, { pruneCredit })
  const advantages = new Map<RolloutNode, number>()
  const compared = among === 'agent' ? [[...credits.keys()]] : [...credits.keys()].map(childrenOf)
  for (const group of compared.flatMap((nodes) => byAgent(nodes.filter((node) => credits.has(node))))) {
    const rewards = group.map((node) => credits.get(node)!)
    const values = among === 'agent' ? groupAdvantages(rewards, { epsilon }) : lessMean(rewards)
    for (const [index, node] of group.entries()) advantages.set(node, values[index]!)
  }
  return advantages
}

function lessMean(rewards: readonly number[]): number[] {
  const average = mean(rewards)
  return rewards.map((reward) => reward - average)
}

const childrenOf = (node: RolloutNode): readonly RolloutNode[] => ('children' in node ? node.children : [])

function byAgent(nodes: readonly RolloutNode[]): RolloutNode[][] {
  const groups = groupBy(nodes, ({ agent }) => agent)
  groups.delete(undefined)
  return [...groups.values()]
}
