/** What each choice of a prompt was worth in the rollouts of a query. */
import { mean } from '../../../src/learn/statistics.ts'
import { pathTo, type RecordedNode, type RolloutRecord } from '../../../src/training/rollouts/record.ts'
import { parseRouter } from '../../c-3po/parse.ts'
import { parseWorkflow } from '../../mao-arag/parse.ts'
import type { ChoosingPrompt } from '../chooser-file.ts'

/** The choice that a completion stands for; undefined if it is none. */
const choiceOf: Readonly<Record<ChoosingPrompt, (completion: string) => string | undefined>> = {
  'c3po/router'(completion) {
    const { action } = parseRouter(completion)
    if (action === 'retrieval') return '[Retrieval]'
    if (action === 'invalid') return undefined
    return action === 'planning' ? '[Planning]' : '[No Retrieval]'
  },
  'mao/plan': (completion) => parseWorkflow(completion, 'question')?.join(', '),
}

/**
 * Choice → its mean value over the rollouts, less what the prompts below it cost. The first completion of the prompt on a path is the
 * choice; later ones are those of sub-questions. Completions that are no choice are left out.
 *
 * @param cost points of the reward for each prompt
 */
export function choiceValues(
  { nodes }: RolloutRecord,
  prompt: ChoosingPrompt,
  cost: number,
): ReadonlyMap<string, number> {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const leaves = new Map<number, number[]>()
  // Counts the prompts of a leaf's path, for each completion on it.
  for (const leaf of nodes) {
    if (leaf.reward === undefined) continue
    const path = [...pathTo(leaf, byId)]
    for (const { id } of path) leaves.set(id, [...(leaves.get(id) ?? []), path.length])
  }
  const values = new Map<string, number[]>()
  for (const node of nodes) {
    if (node.prompt !== prompt || node.value === undefined || hasAbove(node, prompt, byId)) continue
    const choice = choiceOf[prompt](node.completion)
    if (choice === undefined) continue
    const worth = node.value - cost * mean(leaves.get(node.id) ?? [0])
    values.set(choice, [...(values.get(choice) ?? []), worth])
  }
  return new Map([...values].map(([choice, each]) => [choice, mean(each)]))
}

const hasAbove = (
  { parent }: RecordedNode,
  prompt: ChoosingPrompt,
  byId: ReadonlyMap<number, RecordedNode>,
): boolean => {
  const above = byId.get(parent)
  return above !== undefined && [...pathTo(above, byId)].some((node) => node.prompt === prompt)
}
