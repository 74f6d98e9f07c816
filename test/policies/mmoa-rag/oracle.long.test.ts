import { expect, it } from 'vitest'
import { mmoa } from '../../../policies/mmoa-rag/mmoa.ts'
import { oracleFigures } from '../../support/oracle-figures.ts'

it('oracle agents answer 97 % of the sample with three prompts and one round', async () => {
  expect(await oracleFigures(mmoa())).toEqual({
    queries: 36,
    em: 0.972,
    recall: 0.993,
    citedRecall: 0.972,
    asks: 3,
    rounds: 0.972,
  })
})
