import { describe, expect, it } from 'vitest'
import { nodesOf } from '../../../src/training/exploring/tree.ts'
import { recordedNodes } from '../../../src/training/rollouts/record.ts'
import { rollOut } from '../../../src/training/rollouts/roll-out.ts'
import { sparkleRollouts } from '../../../src/training/rollouts/sparkle.ts'
import { type PruneCredit, treeCredit } from '../../../src/training/tree-credit.ts'
import type { ChatModel, FindDocuments } from '../../../src/types.ts'
import { hits, scriptedRetriever } from '../../support/scripted.ts'
import { leavesOf, modelSaying } from '../exploring.ts'

/** Each text finds a document of its own, or all the same one. */
const retrieverOf = (isNew: boolean) => ({
  ...scriptedRetriever(),
  retrieve: async (subQueries: readonly { readonly text: string; readonly round: number }[]) =>
    subQueries.map((subQuery) => ({
      retriever: 'bm25',
      subQuery,
      hits: hits(isNew ? `about ${subQuery.text}` : 'the same'),
    })),
})
const documents: FindDocuments = async (docids) =>
  docids.map((docid) => ({ docid, text: `A sentence ${docid}.` }))

/** Thinks `steps` times in numbered thoughts, then answers. Searches for the last thought, and takes the first fact. */
const thinker = (steps: number): ChatModel =>
  modelSaying((instructions, shown) => {
    const thoughts = shown.match(/<think>/g)?.length ?? 0
    if (instructions.startsWith('You think'))
      return thoughts < steps ? `<think>thought ${thoughts + 1}` : '<answer>right</answer>'
    if (instructions.startsWith('You write')) return `Step 1: <a; b; c>\nStep 2: c\nStep 3: query ${thoughts}`
    if (instructions.startsWith('You choose')) return /^Facts:\n(.*)$/m.exec(shown)![1]!
    return 'No (retrieval is not required)'
  })

function rolled(steps: number, isNew: boolean, docids: readonly string[] = []) {
  return rollOut({ text: 'who' }, { docids, answers: ['right'] }, sparkleRollouts({ steps }), {
    retrievers: [retrieverOf(isNew)],
    documents,
    agents: thinker(steps),
    signal: new AbortController().signal,
  })
}

describe('the tree', () => {
  it.each([
    [1, 2],
    [2, 4],
    [3, 8],
    [4, 16],
  ])('of L = %i steps has %i leaves where every search finds something new', async (steps, leaves) => {
    const found = leavesOf(await rolled(steps, true))
    expect(found).toHaveLength(leaves)
    expect(found.every((leaf) => leaf.endsWith(': 1'))).toBe(true)
  })

  it.each([1, 2, 3, 4])('of L = %i steps has L + 1 where all find the same', async (steps) => {
    const tree = await rolled(steps, false)
    const leaves = leavesOf(tree)
    expect(leaves.filter((leaf) => leaf.endsWith(': 1'))).toHaveLength(steps + 1)
    expect(leaves.filter((leaf) => leaf.endsWith(': pruned'))).toHaveLength((steps * (steps - 1)) / 2)
    expect(leaves).toHaveLength(steps + 1 + (steps * (steps - 1)) / 2)
  })

  it('weights the recall of the context and the F1 of the answer', async () => {
    const tree = await rolled(1, true, ['about query 1', 'never found'])
    const [no, yes] = [...nodesOf(tree)].filter(({ agent }) => agent === 'sparkle/decide')
    const credits = treeCredit(tree)
    // 0.3 · 0 + 0.7 · 1, and 0.3 · ½ + 0.7 · 1.
    expect(credits.get(no!)).toBeCloseTo(0.7, 12)
    expect(credits.get(yes!)).toBeCloseTo(0.85, 12)
  })

  it('where no relevant document is known, rewards the answer alone, or an answer in the context too', async () => {
    const documentsOf = async (unjudged: 'none' | 'answer', texts: string) => {
      const plan = sparkleRollouts({ steps: 1, unjudged, alpha: 0.5 })
      const tree = await rollOut({ text: 'who' }, { docids: [], answers: ['right', 'wrong'] }, plan, {
        retrievers: [retrieverOf(true)],
        documents: async (docids) => docids.map((docid) => ({ docid, text: texts })),
        agents: thinker(1),
        signal: new AbortController().signal,
      })
      const [no, yes] = [...nodesOf(tree)].filter(({ agent }) => agent === 'sparkle/decide')
      const credits = treeCredit(tree)
      return [credits.get(no!), credits.get(yes!)]
    }
    expect(await documentsOf('none', 'It is right.')).toEqual([1, 1])
    // Half of it for the answer, half for a context that contains it.
    expect(await documentsOf('answer', 'It is right.')).toEqual([0.5, 1])
    expect(await documentsOf('answer', 'It is rightly so.')).toEqual([0.5, 0.5])
  })

  it('a search that finds nothing new is not trained, or at a price', async () => {
    const valued = async (pruneCredit: PruneCredit) => {
      const plan = sparkleRollouts({ steps: 2, pruneCredit })
      const tree = await rollOut({ text: 'who' }, { docids: [], answers: ['right'] }, plan, {
        retrievers: [retrieverOf(false)],
        documents,
        agents: thinker(2),
        signal: new AbortController().signal,
      })
      return recordedNodes(tree, plan)
        .filter(({ agent }) => agent === 'sparkle/decide')
        .map(({ completion, value }) => [completion.slice(0, 3).trim(), value])
    }
    // No, No; No, Yes; Yes, No; Yes, Yes: the last one finds what the third has.
    const means = [
      ['No', 1],
      ['No', 1],
      ['Yes', 1],
      ['Yes', 1],
    ]
    expect(await valued('none')).toEqual([...means, ['No', 1], ['Yes', undefined]])
    expect(await valued({ penalty: 0.1 })).toEqual([...means, ['No', 1.1], ['Yes', 0.9]])
  })

  it('without a fork is a chain', async () => {
    const plan = sparkleRollouts({ steps: 0 })
    const asked = { prompt: 'sparkle/decide', input: { thoughts: ['a'] }, messages: [], depth: 1, times: 0 }
    expect(plan.branch(asked)).toEqual({})
    expect(sparkleRollouts().branch({ ...asked, input: { thoughts: ['a', 'b', 'c', 'd', 'e'] } })).toEqual({})
  })
})
