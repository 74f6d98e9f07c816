import { expect, it } from 'vitest'
import { readRollouts } from '../../../src/training/rollouts/read-rollouts.ts'
import { expectError } from '../../support/expect-error.ts'
import { allOf, sourceOf } from '../../support/lines-of.ts'

const messages = [{ role: 'user', content: 'who' }]
const node = { id: 1, parent: 0, prompt: 'p', agent: 'p', messages, completion: 'a', reward: 1 }
const record = { version: 1, qid: 'q1', policy: 'acqo', settings: { temperature: 0.8 }, nodes: [node] }
const read = (...lines: readonly object[]): Promise<unknown[]> =>
  allOf(readRollouts(sourceOf('rollouts.jsonl', ...lines)))

it('reads what was written', async () => {
  expect(await read(record, { ...record, qid: 'q2' })).toEqual([record, { ...record, qid: 'q2' }])
})

it.each([
  ['another version', { ...record, version: 2 }],
  ['a node without a prompt', { ...record, nodes: [{ ...node, prompt: undefined }] }],
  ['another object', { _id: 'q1', text: 'who' }],
])('names the line of %s', async (_name, line) => {
  await expectError(read(record, line), 'bad-file', /rollouts\.jsonl:2: /)
})
