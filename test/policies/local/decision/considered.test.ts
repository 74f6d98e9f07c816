import { expect, it } from 'vitest'
import { type Considered, consideredIn } from '../../../../policies/local/decision/considered.ts'

const considered: Considered = {
  plans: [{ plan: 'parts', subQueries: ['one', 'two'], withOriginal: true, gain: 0.05 }],
  cost: 0.02,
  inputs: [{ name: 'plan: parts', part: 0.03 }],
}

it('is read from the details of a trace as it was written', () => {
  expect(consideredIn(JSON.parse(JSON.stringify(considered)))).toEqual(considered)
  expect(consideredIn({ plans: [], cost: 0.02, inputs: [] })).toEqual({ plans: [], cost: 0.02, inputs: [] })
})

it.each([
  ['none', undefined],
  ["another policy's", { prompt: 'split it' }],
  ['of an older version', { candidates: [], choices: 20, best: [], inputs: [] }],
  ['damaged', { ...considered, plans: [{ plan: 'parts' }] }],
])('is not read from details that are %s', (_, details) => expect(consideredIn(details)).toBeUndefined())
