import { expect, it } from 'vitest'
import { c3po } from '../../../policies/c-3po/c-3po.ts'
import { figuresOf, recordedCompletions, replay } from '../../support/recorded-answers.ts'
import { expectInstructionsInTheirPlace } from '../reading/instructions.ts'

const recorded = await recordedCompletions('c3po')
const replayed = await replay(c3po(), recorded)

it('has these figures with recorded completions', async () => {
  expect(await figuresOf(replayed)).toEqual({
    queries: 36,
    em: 0.639,
    answer_f1: 0.797,
    answered: 1,
    cited_recall: 1,
    asks: 6.333,
  })
  expect(replayed.unused).toBe(0)
})

it('has the same answers where every document has instructions in it', () =>
  expectInstructionsInTheirPlace(c3po(), recorded, replayed))
