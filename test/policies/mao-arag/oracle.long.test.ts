import { expect, it } from 'vitest'
import { mao } from '../../../policies/mao-arag/mao.ts'
import { oracleFigures } from '../../support/oracle-figures.ts'

it('oracle agents answer all but one question of the sample with about seven prompts', async () => {
  // 18 questions need one document: QR, RA, DS, AG, 4 prompts and 1 round; one rewrite is the question itself, which is no round.
  // 9 compare two things: QDP, 3 + 2 · 3 prompts and 1 round. 9 are chains of n recorded sub-questions: QDS, 3 + 3 n + (n − 1)
  // prompts and n rounds, one with n = 1, seven with 2, one with 3.
  // (18 · 4 + 9 · 9 + 6 + 7 · 10 + 14) / 36 prompts, (17 + 9 + 1 + 14 + 3) / 36 rounds
  expect(await oracleFigures(mao(), { history: false })).toEqual({
    queries: 36,
    em: 0.972,
    recall: 0.993,
    citedRecall: 0.972,
    asks: 6.75,
    rounds: 1.222,
  })
})
