import { describe, expect, it } from 'vitest'
import {
  checkExport,
  type Example,
  exportNames,
  formats,
  sftRow,
} from '../../../src/training/export/formats.ts'
import { rolloutExports } from '../../../src/training/export/rollout-rows.ts'
import { expectError } from '../../support/expect-error.ts'

const messages = [{ role: 'user', content: 'who wrote it?' }] as const
const example: Example = {
  qid: 'q1',
  question: 'who wrote it?',
  messages,
  golds: ['d1', 'd2'],
  collection: 'books',
  split: 'train',
  index: 3,
}

it('verl has the columns of its RLHFDataset', () => {
  expect(formats.verl!.row(example)).toEqual({
    data_source: 'querent/books',
    prompt: messages,
    ability: 'query-rewriting',
    reward_model: { style: 'rule', ground_truth: ['d1', 'd2'] },
    extra_info: { split: 'train', index: 3, query_id: 'q1', question: 'who wrote it?' },
  })
})

it('TRL has a column for every argument of the reward function', () => {
  expect(formats.trl!.row(example)).toEqual({ prompt: messages, query_id: 'q1', gold: ['d1', 'd2'] })
})

it('NeMo Gym has what the model is asked apart from what its reward needs', () => {
  expect(formats['nemo-gym']!.row(example)).toEqual({
    responses_create_params: { input: messages },
    query_id: 'q1',
    ground_truth: ['d1', 'd2'],
  })
})

it('GEPA has the prompt that it improves apart from what stands behind it', () => {
  const system = { role: 'system', content: 'Write queries.' } as const
  expect(formats.gepa!.row({ ...example, messages: [system, ...messages] })).toEqual({
    input: 'who wrote it?',
    additional_context: {},
    answer: '',
    system: 'Write queries.',
    query_id: 'q1',
    gold: ['d1', 'd2'],
  })
})

it.each(['openrlhf', 'slime'])('%s has a label that is text', (name) => {
  const { label, ...rest } = formats[name]!.row(example) as { label: string }
  expect(rest).toEqual({ prompt: messages })
  expect(JSON.parse(label)).toEqual({ query_id: 'q1', gold: ['d1', 'd2'] })
})

it.each([
  ['verl', { reward_model: { style: 'rule', ground_truth: [] } }],
  ['trl', { prompt: messages, query_id: 'q1' }],
  ['openrlhf', { prompt: messages, label: '{"query_id":"q1"}' }],
  ['slime', { prompt: messages, label: '{"query_id":"q1"}' }],
  ['nemo-gym', { responses_create_params: { input: messages }, query_id: 'q1' }],
])("%s goes by the query's id where the relevant documents stay with the server", (name, row) => {
  const { golds: _, ...without } = example
  const written = JSON.parse(JSON.stringify(formats[name]!.row(without)))
  expect(written).toMatchObject(row)
  expect(JSON.stringify(written)).not.toMatch(/gold|d1/)
})

it('imitation has the answer behind the prompt', () => {
  expect(sftRow(example, '{"query": "a"}')).toEqual({
    messages: [...messages, { role: 'assistant', content: '{"query": "a"}' }],
  })
})

describe('the name of the file', () => {
  it.each([
    ['verl', 'train.json'],
    ['trl', 'train.jsonl'],
    ['openrlhf', 'train.json'],
    ['slime', 'data/train.jsonl'],
    ['sft', 'sft.json'],
  ])('%s reads %s', (to, out) => expect(() => checkExport(to, out)).not.toThrow())

  it.each([
    ['verl', 'train.jsonl', 'something.json'],
    ['verl', 'train.parquet', 'something.json'],
    ['slime', 'train.json', 'something.jsonl'],
    ['trl', 'train', 'something.json or something.jsonl'],
    ['art', 'train.json', exportNames.join(', ')],
    ['toString', 'train.json', exportNames.join(', ')],
    ['art', 'train.json', /--rollouts steps and preferences/],
  ])('%s does not read %s, and says what it reads', (to, out, right) => {
    expectError(() => checkExport(to, out), 'bad-config', right)
  })

  it('does not matter to an export that needs rollouts', () => {
    const others = rolloutExports.filter((to) => !exportNames.includes(to))
    expect(others.toSorted()).toEqual(['preferences', 'steps'])
    for (const to of others) expectError(() => checkExport(to, `${to}.jsonl`), 'bad-config', /--rollouts/)
  })
})
