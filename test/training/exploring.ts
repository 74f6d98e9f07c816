/** Explores policies in tests: real searches, scripted completions. */
import { createOptimizer } from '../../src/optimizer.ts'
import type { Policy } from '../../src/policy.ts'
import { type ExploreOptions, explore, type Rollouts } from '../../src/training/explore.ts'
import type { Explored } from '../../src/training/exploring/tree.ts'
import type { ChatModel, Document, Message, Retriever } from '../../src/types.ts'
import { finderOf } from '../support/finder.ts'
import { scriptedRetriever } from '../support/scripted.ts'

/** What a model says to a prompt. */
export type Says = (prompt: string, messages: readonly Message[]) => string | Promise<string>

export interface World {
  readonly retriever?: Retriever
  readonly documents?: readonly Document[]
}

/** Explores the query "who" and counts what the model was asked. */
export async function exploring(
  policy: Policy,
  says: Says,
  options: Partial<ExploreOptions> = {},
  { retriever = scriptedRetriever({ found: { who: ['a'] } }), documents = [] }: World = {},
): Promise<{ readonly tree: Rollouts; readonly calls: readonly string[] }> {
  const calls: string[] = []
  const tree = await explore({ text: 'who' }, policy, {
    branch: () => ({}),
    reward: () => 0,
    search: (query, explored, signal) =>
      createOptimizer({ retrievers: [retriever], policy: explored, documents: finderOf(documents) }).search(
        query,
        { signal },
      ),
    async complete({ name }, messages) {
      calls.push(name)
      return { text: await says(name, messages) }
    },
    ...options,
  })
  return { tree, calls }
}

/** The leaves in order, each as the completions that lead to it and how it ended. */
export function leavesOf(node: Explored, path: readonly string[] = []): string[] {
  const here = node.action === undefined ? path : [...path, node.action.completion]
  if ('children' in node) return node.children.flatMap((child) => leavesOf(child, here))
  const end = 'pruned' in node ? 'pruned' : (node.failed ?? String(node.reward))
  return [`${here.join(' / ')}: ${end}`]
}

/** A model that says this to its instructions. */
export const modelSaying = (says: (instructions: string, user: string) => string): ChatModel => ({
  name: 'scripted',
  complete: async ([system, user]) => ({
    text: says(system!.content, user?.content ?? ''),
    tokens: { prompt: 0, completion: 0 },
  }),
})

/** A model that gives these texts, in turn, to the instructions that begin so. */
export function modelGiving(texts: Readonly<Record<string, readonly string[]>>): ChatModel {
  const left = Object.entries(texts).map(([beginning, said]) => ({ beginning, said: [...said] }))
  return modelSaying((content) => left.find(({ beginning }) => content.startsWith(beginning))!.said.shift()!)
}
