import { expect, it } from 'vitest'
import { mmoa } from '../../../policies/mmoa-rag/mmoa.ts'
import { figuresOf, recordedCompletions, replay } from '../../support/recorded-answers.ts'
import { expectInstructionsInTheirPlace } from '../reading/instructions.ts'

const recorded = await recordedCompletions('mmoa')
const replayed = await replay(mmoa(), recorded)

it('has these figures with recorded completions', async () => {
  expect(await figuresOf(replayed)).toEqual({
    queries: 36,
    em: 0.611,
    answer_f1: 0.763,
    answered: 0.944,
    cited_recall: 0.944,
    asks: 3,
  })
  expect(replayed.unused).toBe(0)
})

it('has no figures but the number of missing completions if a prompt is another one', async () => {
  const replayed = await replay(mmoa({ longAnswer: true }), recorded)
  expect(await figuresOf(replayed)).toEqual({ 'missing completions': 36 })
  expect(replayed.unused).toBe(36)
})

it('has the same answers where every document has instructions in it', () =>
  expectInstructionsInTheirPlace(mmoa(), recorded, replayed))
