import { describe, expect, it } from 'vitest'
import { nodesOf } from '../../../src/training/exploring/tree.ts'
import { c3poRollouts } from '../../../src/training/rollouts/c3po.ts'
import { type RollOutOptions, rollOut } from '../../../src/training/rollouts/roll-out.ts'
import { treeCredit } from '../../../src/training/tree-credit.ts'
import type { ChatModel, FindDocuments, Query } from '../../../src/types.ts'
import { hits, scriptedRetriever } from '../../support/scripted.ts'
import { leavesOf } from '../exploring.ts'

const golds = { docids: [], answers: ['right'] }
/** Finds three documents of its own for every text. */
const retriever = {
  ...scriptedRetriever(),
  retrieve: async (subQueries: readonly { readonly text: string; readonly round: number }[]) =>
    subQueries.map((subQuery) => ({
      retriever: 'bm25',
      subQuery,
      hits: hits(...['a', 'b', 'c'].map((name) => `${name} of ${subQuery.text}`)),
    })),
}
const documents: FindDocuments = async (docids) =>
  docids.map((docid) => ({ docid, text: `text of ${docid}` }))

/** What the agents and the others say, by their first words. `count` makes every completion another one. */
type Says = (beginning: string, count: number) => string
const searchesForEver: Says = (beginning, count) => {
  if (beginning.startsWith('You decide how')) return `[Retrieval] search ${count}`
  if (beginning.startsWith('You plan')) return 'Search on.'
  if (beginning.startsWith('You decide what')) return `Thought: ${count}. Action: [Retrieval] search ${count}`
  if (beginning.startsWith('You judge')) return `Thought: ${count}. Action: [1]`
  return 'right'
}

function modelOf(says: Says) {
  const asked: { readonly beginning: string; readonly temperature: number | undefined }[] = []
  const model: ChatModel = {
    name: 'scripted',
    async complete([system], { temperature } = {}) {
      asked.push({ beginning: system!.content, temperature })
      return { text: says(system!.content, asked.length), tokens: { prompt: 0, completion: 0 } }
    },
  }
  return { model, asked }
}

async function rolled(says: Says, options: Partial<RollOutOptions> = {}, plan = c3poRollouts()) {
  const { model, asked } = modelOf(says)
  const tree = await rollOut({ text: 'who' } as Query, golds, plan, {
    retrievers: [retriever],
    documents,
    agents: model,
    signal: new AbortController().signal,
    ...options,
  })
  return { tree, asked, nodes: [...nodesOf(tree)] }
}

describe('the tree', () => {
  it('of agents that always search has 11 leaves and 71 nodes, from 68 calls of models', async () => {
    const { tree, asked, nodes } = await rolled(searchesForEver)
    // No retrieval: 1 leaf, 2 nodes. One search: the filter's 2 at depth 1, 5 nodes. The plan: 2 decisions at depth 2, 2 filters at
    // 3, 2 decisions at 4, then chains of 5 and the answer: 8 leaves, 1 + 1 + 2 + 4 + 8 · 7 = 64 nodes.
    expect(leavesOf(tree)).toHaveLength(11)
    expect(nodes).toHaveLength(71)
    expect(nodes.filter(({ action }) => action.forced).map(({ action }) => action.completion)).toEqual([
      '[No Retrieval]',
      '[Planning]',
    ])
    // Two completions are given, and after the one search both filters keep the same document: the second answer is remembered.
    expect(asked).toHaveLength(71 - 2 - 1)
  })

  it('samples agents at a temperature of their own, and the others at theirs', async () => {
    const { asked } = await rolled(searchesForEver, { temperature: 0.6 })
    for (const { beginning, temperature } of asked)
      expect(temperature).toBe(
        beginning.startsWith('You plan') ? 0.3 : beginning.startsWith('You answer') ? 0 : 0.6,
      )
  })

  it('trains the agents, not the environment', async () => {
    const { nodes } = await rolled(searchesForEver)
    expect(new Set(nodes.map(({ agent }) => agent))).toEqual(
      new Set(['c3po/router', 'c3po/filter', 'c3po/decide', undefined]),
    )
  })

  it('searches the question where the Router never wants to search', async () => {
    const { tree } = await rolled((beginning, count) =>
      beginning.startsWith('You decide how') ? '[Planning]' : searchesForEver(beginning, count),
    )
    expect(leavesOf(tree)[1]).toMatch(/^\[Planning\]/)
    expect(leavesOf(tree).at(-1)).toMatch(/^\[Retrieval\] who \/ .*: 1$/)
  })

  it('ends where a completion is out of its format: such a leaf is worth 0', async () => {
    const { tree } = await rolled((beginning, count) => {
      if (beginning.startsWith('You judge'))
        return count % 2 === 0 ? 'All of them.' : 'Thought: x. Action: [7]'
      return searchesForEver(beginning, count)
    })
    const leaves = leavesOf(tree)
    expect(leaves[0]).toBe('[No Retrieval] / right: 1')
    expect(leaves.slice(1).every((leaf) => /: (There is more|Hallucinate Document Idx)/.test(leaf))).toBe(
      true,
    )
    const [none] = nodesOf(tree)
    expect(treeCredit(tree).get(none!)).toBe(1)
    expect(treeCredit(tree).get(tree)).toBeCloseTo(1 / leaves.length, 12)
  })
})

it('without the tree it is one chain', async () => {
  const { tree } = await rolled(searchesForEver, {}, c3poRollouts({ tree: false }))
  expect(leavesOf(tree)).toEqual(['[Retrieval] search 1 / Thought: 2. Action: [1] / right: 1'])
})

it('a judge says what an answer is worth', async () => {
  const judged: unknown[] = []
  const { tree } = await rolled(searchesForEver, {
    async judge(asked) {
      judged.push(asked)
      return 0
    },
  })
  expect(judged[0]).toEqual({ question: 'who', answers: ['right'], given: 'right' })
  expect(leavesOf(tree).every((leaf) => leaf.endsWith(': 0'))).toBe(true)
})
