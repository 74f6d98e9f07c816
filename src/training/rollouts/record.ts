/** Rollouts as a file keeps them: a line for each query. The messages contain documents. */
import { z } from 'zod'
import { type Explored, nodesOf } from '../exploring/tree.ts'
import { treeAdvantages } from '../tree-advantages.ts'
import { type RolloutNode, treeCredit } from '../tree-credit.ts'
import type { RolloutPlan } from './plan.ts'

const message = z.object({ role: z.enum(['system', 'user', 'assistant']), content: z.string() })

const nodeSchema = z.object({
  /** From 1, parents before their children. */
  id: z.int().positive(),
  /** 0: the query itself. */
  parent: z.int().nonnegative(),
  prompt: z.string(),
  /** The prompt's name, if it is an agent's. */
  agent: z.string().exactOptional(),
  messages: z.array(message),
  completion: z.string(),
  /** Whether it was given rather than sampled. */
  forced: z.literal(true).exactOptional(),
  /** Why it could not be used. */
  invalid: z.string().exactOptional(),
  tokenIds: z.array(z.int()).exactOptional(),
  logprobs: z.array(z.number()).exactOptional(),
  /** Of a leaf. */
  reward: z.number().exactOptional(),
  /** Why a leaf's run failed. */
  failed: z.string().exactOptional(),
  /** Whether the branch came to the state of another one. */
  pruned: z.literal(true).exactOptional(),
  /** The mean reward of the leaves below. */
  credit: z.number().exactOptional(),
  /** Of an agent's completion: its credit and the penalty of its own. */
  value: z.number().exactOptional(),
  /** Of an agent's completion, compared to all of that agent for this query. */
  advantage: z.number().exactOptional(),
})

export const rolloutRecordSchema = z.object({
  version: z.literal(1),
  qid: z.string(),
  policy: z.string(),
  settings: z.record(z.string(), z.unknown()),
  nodes: z.array(nodeSchema),
})

/**
 * A node of a recorded tree, which names its children by their places in `nodes`.
 *
 * @interface
 */
export type RecordedNode = z.output<typeof nodeSchema>

/**
 * A line of a file of rollouts.
 *
 * @interface
 */
export type RolloutRecord = z.output<typeof rolloutRecordSchema>

/** A node and all before it, from the node to the first completion. @param byId all nodes of the record, by their ids */
export function* pathTo(
  node: RecordedNode,
  byId: ReadonlyMap<number, RecordedNode>,
): Generator<RecordedNode> {
  for (let one: RecordedNode | undefined = node; one !== undefined; one = byId.get(one.parent)) yield one
}

/** The nodes of a tree, with what they are worth: the mean reward below a completion, and the penalty of its own. */
export function recordedNodes(
  tree: Explored,
  { penalty = () => 0, pruneCredit = 'none' }: Pick<RolloutPlan, 'penalty' | 'pruneCredit'>,
): RecordedNode[] {
  const credits = treeCredit(tree, { pruneCredit })
  const values = new Map<RolloutNode, number>()
  for (const node of nodesOf(tree)) {
    const credit = credits.get(node)
    if (node.agent === undefined || credit === undefined) continue
    const below = [...nodesOf(node)].slice(1).map(({ action }) => action)
    values.set(node, credit + penalty(node.action, below))
  }
  const advantages = treeAdvantages(tree, { values })
  const nodes: RecordedNode[] = []

  function record(node: Explored, parent: number): void {
    let id = parent
    if (node.action !== undefined) {
      const { prompt, agent, messages, completion, forced, invalid, tokenIds, logprobs } = node.action
      const [credit, value, advantage] = [credits.get(node), values.get(node), advantages.get(node)]
      id = nodes.length + 1
      nodes.push({
        id,
        parent,
        prompt,
        ...(agent !== undefined && { agent }),
        messages: [...messages],
        completion,
        ...(forced && { forced }),
        ...(invalid !== undefined && { invalid }),
        ...(tokenIds && { tokenIds: [...tokenIds] }),
        ...(logprobs && { logprobs: [...logprobs] }),
        ...('reward' in node && { reward: node.reward }),
        ...('failed' in node && node.failed !== undefined && { failed: node.failed }),
        ...('pruned' in node && { pruned: node.pruned }),
        ...(credit !== undefined && { credit }),
        ...(value !== undefined && { value }),
        ...(advantage !== undefined && { advantage }),
      })
    }
    if ('children' in node) for (const child of node.children) record(child, id)
  }
  record(tree, 0)
  return nodes
}
