/** The answering policies with recorded completions. */
import { describe, expect, it } from 'vitest'
import { c3po } from '../../../policies/c-3po/c-3po.ts'
import { mmoa } from '../../../policies/mmoa-rag/mmoa.ts'
import { figuresOf, recordedCompletions, replay } from '../../support/recorded-answers.ts'
import { expectInstructionsInTheirPlace } from './instructions.ts'

describe.each([
  {
    policy: c3po(),
    figures: { em: 0.639, answer_f1: 0.797, answered: 1, cited_recall: 1, asks: 5.389 },
  },
  {
    policy: mmoa(),
    figures: { em: 0.611, answer_f1: 0.763, answered: 0.944, cited_recall: 0.944, asks: 3 },
  },
])('$policy.name', async ({ policy, figures }) => {
  const recorded = await recordedCompletions(policy.name)
  const replayed = await replay(policy, recorded)

  it('has these figures', async () => {
    expect(await figuresOf(replayed)).toEqual({ queries: 36, ...figures })
    expect(replayed.unused).toBe(0)
  })

  it('has the same answers where every document has instructions in it', () =>
    expectInstructionsInTheirPlace(policy, recorded, replayed))
})

it('has no figures but the number of missing completions if a prompt is another one', async () => {
  const replayed = await replay(mmoa({ longAnswer: true }), await recordedCompletions('mmoa'))
  expect(await figuresOf(replayed)).toEqual({ 'missing completions': 36 })
  expect(replayed.unused).toBe(36)
})
