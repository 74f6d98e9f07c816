import { expect, it } from 'vitest'
import { groupAdvantages } from '../../../src/training/advantage.ts'
import { acqoRollouts } from '../../../src/training/rollouts/acqo.ts'
import { recordedNodes } from '../../../src/training/rollouts/record.ts'
import { rollOut } from '../../../src/training/rollouts/roll-out.ts'
import { scriptedRetriever } from '../../support/scripted.ts'
import { leavesOf, modelGiving } from '../exploring.ts'

const golds = { docids: ['g'], answers: [] }
const found = { who: ['x', 'g'], first: ['g'], second: ['x', 'y', 'g'], lost: ['x'] }
const query = (text: string): string => JSON.stringify({ query: text })

function rolled(texts: readonly string[], stage: 1 | 2) {
  return rollOut({ text: 'who' }, golds, acqoRollouts({ samples: texts.length, stage }), {
    retrievers: [scriptedRetriever({ found })],
    agents: modelGiving({ '': texts }),
    signal: new AbortController().signal,
  })
}

it('every completion has the reward of its sub-queries; what is no object has δ', async () => {
  const texts = [
    query('first'),
    query('Who'),
    query('second %% lost'),
    query('nothing'),
    'first',
    query('lost'),
  ]
  const tree = await rolled(texts, 2)
  // Φ(1) = 2; Φ(2) = 17/9; second and lost fused: x has ranks 1 and 1, then y at 2, then g at 3: 16/9; not found: 0; δ = −0.1.
  const rewards = [2, 1.888889, 1.777778, 0, -0.1, 0]
  expect(leavesOf(tree).map((leaf) => Number(/(-?[\d.]+)$/.exec(leaf)?.[1] ?? -0.1))).toEqual(rewards)
  const nodes = recordedNodes(tree, {})
  expect(nodes.map(({ reward }) => reward)).toEqual(rewards)
  expect(nodes[4]).toMatchObject({ failed: expect.stringContaining('not JSON') })
  expect(nodes.map(({ advantage }) => advantage)).toEqual(groupAdvantages(rewards))
})

it('Stage I: of the best set', async () => {
  expect(leavesOf(await rolled([query('first %% lost')], 1))).toEqual([`${query('first %% lost')}: 2`])
})
