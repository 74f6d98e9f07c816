import { expect, it } from 'vitest'
import { c3po } from '../../../policies/c-3po/c-3po.ts'
import { figuresOf, recordedCompletions, replay } from '../../support/recorded-answers.ts'

it('has these figures with recorded completions', async () => {
  const replayed = await replay(c3po(), await recordedCompletions('c3po'))
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
