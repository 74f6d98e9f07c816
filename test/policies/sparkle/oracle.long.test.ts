import { expect, it } from 'vitest'
import { sparkle } from '../../../policies/sparkle/sparkle.ts'
import { oracleFigures } from '../../support/oracle-figures.ts'

it('oracle agents answer the whole sample with about nine prompts and two rounds', async () => {
  // 36 questions need 68 documents: a thought, a decision, a query and a choice for each, and one prompt for each answer.
  // (4 · 68 + 36) / 36 prompts, 68 / 36 rounds
  expect(await oracleFigures(sparkle(), { history: false })).toEqual({
    queries: 36,
    em: 1,
    recall: 1,
    citedRecall: 1,
    asks: 8.556,
    rounds: 1.889,
  })
})
