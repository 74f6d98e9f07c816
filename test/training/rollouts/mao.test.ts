import { expect, it } from 'vitest'
import { nodesOf } from '../../../src/training/exploring/tree.ts'
import { maoRollouts } from '../../../src/training/rollouts/mao.ts'
import { recordedNodes } from '../../../src/training/rollouts/record.ts'
import { rollOut } from '../../../src/training/rollouts/roll-out.ts'
import { valuesOf } from '../../../src/training/rollouts/values.ts'
import { finderOf } from '../../support/finder.ts'
import { scriptedRetriever } from '../../support/scripted.ts'
import { leavesOf, modelGiving } from '../exploring.ts'

const golds = { docids: [], answers: ['red brick'] }
const found = { who: ['a', 'b'], second: ['b'] }
const documents = ['a', 'b'].map((docid) => ({ docid, text: `text of ${docid}` }))

const rolled = (plan = maoRollouts({ samples: 3 })) =>
  rollOut({ text: 'who' }, golds, plan, {
    retrievers: [scriptedRetriever({ found })],
    documents: finderOf(documents),
    agents: modelGiving({
      'You plan the workflow that answers a question': ['RA, AG', 'QDS', 'RA AG'],
      'You plan the workflow that answers a sub-question': ['AG', 'RA, DS, AG'],
    }),
    environment: modelGiving({
      'You split': ['first\nsecond'],
      'You rewrite': ['second'],
      'You choose': ['Document0'],
      // The invalid workflow goes on as RA, AG, whose answer is remembered.
      'You answer': ['red brick', 'one', 'two'],
      'You put': ['red house'],
    }),
    signal: new AbortController().signal,
  })

it('chains share the F1 of their answers, and each workflow costs what it costs', async () => {
  const plan = maoRollouts({ samples: 3 })
  const tree = await rolled(plan)
  // F1: 1; 2 · 1 / (2 + 2) = ½; 1.
  expect(leavesOf(tree).map((leaf) => leaf.replace(/.*: /s, ''))).toEqual(['1', '0.5', '1'])
  const values = valuesOf(tree, plan)
  const planned = [...nodesOf(tree)].filter(({ agent }) => agent !== undefined)
  expect(planned.map(({ action }) => [action.completion, action.agent, action.invalid])).toEqual([
    ['RA, AG', 'mao/plan', undefined],
    ['QDS', 'mao/plan', undefined],
    ['AG', 'mao/plan', undefined],
    ['RA, DS, AG', 'mao/plan', undefined],
    ['RA AG', 'mao/plan', 'It is not one of the workflows'],
  ])
  // Table 3 in shares of 602, a quarter of a turn for each of two sub-questions, 1 for a search; α = 0.1.
  const expected = [
    1 - 0.1 * (158 / 602 + 1),
    0.5 - 0.1 * (91 / 602 + 2 / 4),
    0.5 - (0.1 * 158) / 602,
    0.5 - 0.1 * ((208 + 158) / 602 + 1),
    // Invalid: −1, and no cost.
    1 - 1,
  ]
  for (const [place, node] of planned.entries()) expect(values.get(node)).toBeCloseTo(expected[place]!, 12)
  const advantages = recordedNodes(tree, plan).flatMap(({ advantage }) => advantage ?? [])
  expect(advantages).toHaveLength(5)
  expect(advantages.reduce((sum, advantage) => sum + advantage, 0)).toBeCloseTo(0, 12)
})

it('with α = 0, every turn is worth the answer', async () => {
  const plan = maoRollouts({ samples: 3, alpha: 0 })
  const tree = await rolled(plan)
  const values = valuesOf(tree, plan)
  const planned = [...nodesOf(tree)].filter(({ agent }) => agent !== undefined)
  expect(planned.map((node) => values.get(node))).toEqual([1, 0.5, 0.5, 0.5, 0])
})

it("takes Table 4's turns, and the normalization of F1, by option", async () => {
  const plan = maoRollouts({ samples: 3, turnCost: 'table4', normalization: 'space' })
  const tree = await rolled(plan)
  const decomposed = [...nodesOf(tree)].find(({ action }) => action.completion === 'QDS')!
  expect(valuesOf(tree, plan).get(decomposed)).toBeCloseTo(0.5 - 0.1 * (91 / 602 + 1 / 4), 12)
  const tools = { path: [], signal: new AbortController().signal }
  const answer = { answer: 'non ferrous' } as Parameters<typeof plan.leaf>[0]
  expect(await plan.leaf(answer, { docids: [], answers: ['non-ferrous'] }, tools)).toBe(1)
})
