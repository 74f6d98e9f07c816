/** Rollouts of MAO-ARAG (3.2, 3.3): chains, which differ in the workflows that the planner writes. Its executors stay as they are. */
import { mao } from '../../../policies/mao-arag/mao.ts'
import { parseWorkflow } from '../../../policies/mao-arag/parse.ts'
import type { PlanInput } from '../../../policies/mao-arag/prompts.ts'
import { finalAnswerF1, plannerReward } from '../../../policies/mao-arag/rewards.ts'
import type { AnswerNormalization } from '../../text/answer.ts'
import type { Action } from '../exploring/tree.ts'
import type { RolloutPlan } from './plan.ts'

export interface MaoRollouts {
  /** How many chains. Default: 8. */
  readonly samples?: number | undefined
  /** α: the weight of the costs, from 0. Default: 0.1, Querent's; 0 in the paper's main results. */
  readonly alpha?: number | undefined
  /** How F1 treats punctuation. Default: `squad`, as in the authors' code. */
  readonly normalization?: AnswerNormalization
  /** Where the cost of a decomposition's turns is from. Default: `text`. */
  readonly turnCost?: 'text' | 'table4' | undefined
}

export function maoRollouts({ samples = 8, alpha, normalization, turnCost }: MaoRollouts = {}): RolloutPlan {
  const turnOf = ({ input }: Pick<Action, 'input'>): PlanInput['turn'] => (input as PlanInput).turn
  return {
    policy: mao({ strict: true }),
    branch: (asked) => ({
      samples: asked.prompt === 'mao/plan' && turnOf(asked) === 'question' ? samples : 1,
    }),
    invalid: 'falls-back',
    failedReward: 0,
    needs: 'answers',
    leaf: ({ answer = '' }, { answers }) => finalAnswerF1(answer, answers, normalization),
    penalty(action, below) {
      const workflow = parseWorkflow(action.completion, turnOf(action))
      // The workflows that come after that of the question are those of its sub-questions.
      const subQuestions =
        turnOf(action) === 'question' ? below.filter(({ prompt }) => prompt === 'mao/plan').length : 0
      return plannerReward({ f1: 0, workflow, subQuestions }, { alpha, turnCost })
    },
  }
}
