import { describe, expect, it } from 'vitest'
import type { Executor } from '../../../policies/mao-arag/parse.ts'
import {
  finalAnswerF1,
  plannerReward,
  tokenCost,
  turnCost,
  workflowCost,
} from '../../../policies/mao-arag/rewards.ts'
import { expectError } from '../../support/expect-error.ts'
import { fraction, golden } from '../../support/golden.ts'

describe('costs, eq. 4', () => {
  it.each(golden.mao.tokenCost)('tokens of $workflow: $cost', ({ workflow, cost }) =>
    expect(tokenCost(workflow as Executor[])).toBe(fraction(cost)),
  )

  it.each([
    { workflow: 'QDS', subQuestions: 3, text: 0.75, table4: 0.25 },
    { workflow: 'QDP', subQuestions: 3, text: 0.25, table4: 0.75 },
    { workflow: 'QDS', subQuestions: 4, text: 1, table4: 0.25 },
    { workflow: 'AG', subQuestions: 3, text: 0, table4: 0 },
    { workflow: 'AS', subQuestions: 3, text: 0, table4: 0 },
  ] as const)('turns of $workflow with $subQuestions', ({ workflow, subQuestions, text, table4 }) => {
    expect(turnCost([workflow], subQuestions)).toBe(text)
    expect(turnCost([workflow], subQuestions, 'table4')).toBe(table4)
  })

  it('refuses more sub-questions than there may be', () =>
    expectError(() => turnCost(['QDS'], 5), 'bad-config', 'is 5'))
})

describe('F1 of the final answer, eq. 3', () => {
  it.each([
    // SQuAD deletes punctuation: "nonferrous metal" and "nonferrous" share one of two words.
    { answer: 'non-ferrous metal', expected: ['non-ferrous'], squad: 2 / 3, space: 4 / 5 },
    // "nonferrous" has no word of "non ferrous metal"; with blanks it has two of three.
    { answer: 'non ferrous metal', expected: ['non-ferrous'], squad: 0, space: 4 / 5 },
    { answer: 'New York', expected: ['Paris', 'New York City'], squad: 4 / 5, space: 4 / 5 },
    { answer: 'Yes.', expected: ['yes'], squad: 1, space: 1 },
    { answer: 'No, it was not', expected: ['no'], squad: 0, space: 0 },
    { answer: 'yes', expected: ['yes it was', 'Yes'], squad: 1, space: 1 },
    { answer: 'no', expected: ['no man'], squad: 0, space: 0 },
    { answer: '', expected: ['Ada'], squad: 0, space: 0 },
    { answer: 'Ada', expected: [], squad: 0, space: 0 },
  ])('$answer, $expected', ({ answer, expected, squad, space }) => {
    expect(finalAnswerF1(answer, expected)).toBeCloseTo(squad, 12)
    expect(finalAnswerF1(answer, expected, 'space')).toBeCloseTo(space, 12)
  })
})

describe('R_planner, eq. 6', () => {
  it.each(golden.mao.reward)(
    '$workflow, F1 $f1, α $alpha',
    ({ f1, alpha, workflow, turnCost: turns, FP, CP, R }) => {
      // A quarter a sub-question where the question was decomposed serially.
      const subQuestions = 4 * fraction(turns)
      const given = FP === 1 ? undefined : (workflow as Executor[])
      if (given !== undefined) expect(workflowCost(given, { subQuestions })).toBeCloseTo(CP, 9)
      expect(
        plannerReward({ f1: fraction(f1), workflow: given, subQuestions }, { alpha: fraction(alpha) }),
      ).toBeCloseTo(R, 9)
    },
  )

  it('falls with α, by what the workflow costs', () => {
    const turn = { f1: 1, workflow: ['QR', 'RA', 'DS', 'AG'] } as const
    // The most costly workflow: 227/301 for tokens and 1 for retrieval.
    expect(plannerReward(turn, { alpha: 0.5 })).toBeCloseTo(1 - (0.5 * 528) / 301, 14)
    expect(plannerReward({ ...turn, f1: 0 }, { alpha: 301 / 528 })).toBeCloseTo(-1, 14)
    expectError(() => plannerReward(turn, { alpha: -0.1 }), 'bad-config', /alpha/)
  })

  it("has Table 4's turns by option", () => {
    const turn = { f1: 0.8, workflow: ['QDS'], subQuestions: 3 } as const
    expect(plannerReward(turn, { turnCost: 'table4' })).toBeCloseTo(0.759884, 6)
  })
})
