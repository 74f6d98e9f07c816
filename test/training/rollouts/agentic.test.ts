import { expect, it } from 'vitest'
import { rewardOfRanks } from '../../../policies/acqo/rewards.ts'
import { none } from '../../../policies/none.ts'
import { nodesOf } from '../../../src/training/exploring/tree.ts'
import { type AgenticRollouts, agenticRollouts } from '../../../src/training/rollouts/agentic.ts'
import { recordedNodes } from '../../../src/training/rollouts/record.ts'
import { rollOut } from '../../../src/training/rollouts/roll-out.ts'
import type { ChatModel } from '../../../src/types.ts'
import { finderOf } from '../../support/finder.ts'
import { scriptedRetriever } from '../../support/scripted.ts'
import { documentsNamed } from '../../support/search-answering.ts'

const found = { who: ['a', 'b', 'c'], more: ['d', 'a', 'e'] }

/** Rolls out "who" with these completions of the first prompt, and of the later ones. */
async function rolled(
  first: readonly string[],
  later: readonly string[],
  docids: readonly string[],
  options: AgenticRollouts = {},
) {
  const counts = { first: 0, later: 0 }
  const agents: ChatModel = {
    name: 'scripted',
    async complete([system]) {
      const at = system!.content.includes('what to search next') ? 'first' : 'later'
      const all = at === 'first' ? first : later
      return { text: all[counts[at]++ % all.length]!, tokens: { prompt: 0, completion: 0 } }
    },
  }
  const plan = agenticRollouts({ policy: none(), samples: first.length, ...options })
  const tree = await rollOut({ text: 'who' }, { docids, answers: ['right'] }, plan, {
    retrievers: [scriptedRetriever({ found })],
    documents: finderOf(documentsNamed('abcde')),
    agents,
    signal: new AbortController().signal,
  })
  const leaves = [...nodesOf(tree)].flatMap((node) => ('reward' in node ? [node] : []))
  return { tree, plan, leaves, rewards: leaves.map(({ reward }) => reward) }
}

const search = 'Search: more\nDocuments: 2'
const answers = ['Answer: right\nDocuments: 1, 2', 'Answer: wrong\nDocuments: 2']

it('a tree: each completion of the first prompt, and two of the second; all are the agent’s', async () => {
  const { tree, plan, rewards } = await rolled(['Answer: right\nDocuments: 1', search], answers, [])
  expect(rewards).toEqual([1, 0.95, -0.05])
  expect([...nodesOf(tree)]).toHaveLength(4)
  // The search is worth the mean of what it leads to.
  const nodes = recordedNodes(tree, plan)
  expect(nodes.map(({ agent, value }) => [agent, value])).toEqual([
    ['agentic/round', 1],
    ['agentic/round', expect.closeTo(0.45, 12)],
    ['agentic/round', 0.95],
    ['agentic/round', -0.05],
  ])
})

it('rewards what was kept, in its order, as a share of the best', async () => {
  // b was kept first, then d was cited beside it: of the relevant d and e, d is at rank 2.
  const { rewards } = await rolled([search], [answers[0]!], ['d', 'e'])
  const share = rewardOfRanks([2, undefined], { eta: 0.6 }) / rewardOfRanks([1, 2], { eta: 0.6 })
  expect(rewards[0]).toBeCloseTo(0.7 + 0.3 * share - 0.05, 12)
})

it('what is not the format alone ends a run, and is worth no more than a wrong answer', async () => {
  const { leaves, rewards } = await rolled(['**Answer:** right'], answers, [])
  expect(rewards).toEqual([-0.1])
  expect(leaves[0]).toHaveProperty('failed')
})
