import { expect, it } from 'vitest'
import { choiceValues } from '../../../../policies/chooser/training/choice-values.ts'
import { rolloutsOf } from '../../../support/rollout-records.ts'

const router = { parent: 0, prompt: 'c3po/router', agent: 'c3po/router' }
const tree = rolloutsOf('q', [
  { ...router, completion: '[No Retrieval]', value: 0 },
  { parent: 1, prompt: 'c3po/answer', completion: 'nobody', reward: 0 },
  { ...router, completion: '[Planning]', value: 0.5 },
  { parent: 3, prompt: 'c3po/plan', completion: 'search' },
  { parent: 4, prompt: 'c3po/decide', agent: 'c3po/decide', completion: 'one', value: 1 },
  { parent: 5, prompt: 'c3po/answer', completion: 'Ada', reward: 1 },
  { parent: 4, prompt: 'c3po/decide', agent: 'c3po/decide', completion: 'other', value: 0, reward: 0 },
  { ...router, completion: '[Retrieval] who', value: 1 },
  { parent: 8, prompt: 'c3po/answer', completion: 'Ada', reward: 1 },
  { ...router, completion: 'no route at all', value: 0, reward: 0 },
])

it('a choice is worth its value, less what the prompts of its leaves cost on average', () => {
  // Leaves below: two prompts; four and three prompts; two prompts.
  expect(choiceValues(tree, 'c3po/router', 0.1)).toEqual(
    new Map([
      ['[No Retrieval]', 0 - 0.1 * 2],
      ['[Planning]', 0.5 - 0.1 * 3.5],
      ['[Retrieval]', 1 - 0.1 * 2],
    ]),
  )
})

it('several completions that choose the same are one choice, of their mean value', () => {
  const record = rolloutsOf('q', [
    { ...router, completion: '[Retrieval] one', value: 1, reward: 1 },
    { ...router, completion: '[Retrieval] another', value: 0, reward: 0 },
  ])
  expect(choiceValues(record, 'c3po/router', 0)).toEqual(new Map([['[Retrieval]', 0.5]]))
})

it('workflows of sub-questions are not choices for the question', () => {
  const plan = { prompt: 'mao/plan', agent: 'mao/plan' }
  const record = rolloutsOf(
    'q',
    [
      { parent: 0, ...plan, completion: 'qdp', value: 1 },
      { parent: 1, ...plan, completion: 'RA, AG', value: 1 },
      { parent: 2, prompt: 'mao/answer', completion: 'Ada', reward: 1 },
      { parent: 0, ...plan, completion: 'ra and ag', value: 0.25, reward: 0.25 },
    ],
    'mao',
  )
  expect(choiceValues(record, 'mao/plan', 0)).toEqual(
    new Map([
      ['QDP', 1],
      ['RA, AG', 0.25],
    ]),
  )
})
