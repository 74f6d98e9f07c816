import { expect, it } from 'vitest'
import { nodesOf } from '../../../src/training/exploring/tree.ts'
import { mmoaRollouts } from '../../../src/training/rollouts/mmoa.ts'
import { recordedNodes } from '../../../src/training/rollouts/record.ts'
import { rollOut } from '../../../src/training/rollouts/roll-out.ts'
import { valuesOf } from '../../../src/training/rollouts/values.ts'
import { finderOf } from '../../support/finder.ts'
import { scriptedRetriever } from '../../support/scripted.ts'
import { leavesOf, modelGiving } from '../exploring.ts'

const golds = { docids: [], answers: ['red brick'] }
const found = { who: ['a', 'b'], first: ['a'], five: ['b'] }
const documents = ['a', 'b'].map((docid) => ({ docid, text: `text of ${docid}` }))

it('chains share the F1 of their answers, and each completion has its own penalty', async () => {
  const plan = mmoaRollouts({ samples: 3 })
  const tree = await rollOut({ text: 'who' }, golds, plan, {
    retrievers: [scriptedRetriever({ found })],
    documents: finderOf(documents),
    agents: modelGiving({
      'You prepare': ['first', 'who\na\nb\nc\nd', 'five'],
      'You choose': ['Document0', 'Document0, Document1', ''],
      'You answer': ['red brick', 'red house', `red ${'word '.repeat(40)}`],
    }),
    signal: new AbortController().signal,
  })
  // F1: 1; 2 · 1 / (2 + 2) = ½; 2 · 1 / (41 + 2).
  expect(leavesOf(tree).map((leaf) => leaf.replace(/.*: /s, ''))).toEqual(['1', '0.5', String(2 / 43)])
  const values = valuesOf(tree, plan)
  expect([...nodesOf(tree)].map((node) => [node.agent, values.get(node)])).toEqual([
    ['mmoa/rewrite', 1],
    ['mmoa/select', 1],
    ['mmoa/answer', 1],
    // Five lines: −½. Blanks in the selection: −1, and the answer reads all documents.
    ['mmoa/rewrite', 0],
    ['mmoa/select', -0.5],
    ['mmoa/answer', 0.5],
    // Nothing is selected: no penalty. More than 30 words: −½.
    ['mmoa/rewrite', 2 / 43],
    ['mmoa/select', 2 / 43],
    ['mmoa/answer', 2 / 43 - 0.5],
  ])
  const nodes = recordedNodes(tree, plan)
  expect(nodes.map(({ id, parent }) => [id, parent])).toEqual([
    [1, 0],
    [2, 1],
    [3, 2],
    [4, 0],
    [5, 4],
    [6, 5],
    [7, 0],
    [8, 7],
    [9, 8],
  ])
  expect(nodes[4]).toMatchObject({ invalid: 'It is not a list of documents', credit: 0.5, value: -0.5 })
  expect(nodes[2]).toMatchObject({ reward: 1 })
  for (const agent of ['mmoa/rewrite', 'mmoa/select', 'mmoa/answer']) {
    const advantages = nodes.flatMap((node) => (node.agent === agent ? [node.advantage!] : []))
    expect(advantages).toHaveLength(3)
    expect(advantages.reduce((sum, advantage) => sum + advantage, 0)).toBeCloseTo(0, 12)
  }
})

it("counts a rewriter's characters if told to", () => {
  const { penalty } = mmoaRollouts({ maxCharacters: 3 })
  const action = { prompt: 'mmoa/rewrite', completion: 'four', messages: [], input: {}, depth: 0, times: 0 }
  expect(penalty!({ ...action, forced: false }, [])).toBe(-0.5)
})

it.each([
  ['mmoa/rewrite', -0.5],
  ['mmoa/select', -1],
  ['mmoa/answer', -0.5],
])('%s has its penalty where the model was cut off or refused', (prompt, expected) => {
  const action = { prompt, completion: '', messages: [], input: { documents }, depth: 0, times: 0 }
  const { penalty } = mmoaRollouts()
  expect(penalty!({ ...action, forced: false, invalid: 'cut off' }, [])).toBe(expected)
  expect(penalty!({ ...action, forced: false }, [])).toBe(0)
})
