import { expect, it } from 'vitest'
import { c3po } from '../../../policies/c-3po/c-3po.ts'
import { oracleFigures } from '../../support/oracle-figures.ts'

it('oracle agents answer the whole sample with about six prompts and two rounds', async () => {
  // 19 questions need one document: 3 prompts, 1 round. 17 need several: 4 prompts, and 2 in each of 47 rounds.
  // (57 + 68 + 94) / 36 prompts, (19 + 47) / 36 rounds
  expect(await oracleFigures(c3po(), { history: false })).toEqual({
    queries: 36,
    em: 1,
    recall: 1,
    citedRecall: 1,
    asks: 6.083,
    rounds: 1.833,
  })
})
