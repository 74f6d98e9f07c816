/** Rollouts of SPARKLE (3.1, 3.2): at each of the first steps the tree goes on with a search and without one. */
import type { ThinkInput } from '../../../policies/sparkle/prompts.ts'
import { contextRecall, exploresBoth, sparkleReward } from '../../../policies/sparkle/rewards.ts'
import { type SparkleOptions, sparkle } from '../../../policies/sparkle/sparkle.ts'
import { answerF1 } from '../../text/answer.ts'
import type { RolloutPlan } from './plan.ts'

export interface SparkleRollouts extends Pick<SparkleOptions, 'maxSteps' | 'maxRounds' | 'triples'> {
  /** L: the first steps at which both decisions are taken; 0 makes one chain. Default: 4, as in the paper. */
  readonly steps?: number
  /** α: the weight of recall beside that of F1, from 0 to 1. Default: 0.3, as in the paper. */
  readonly alpha?: number
}

export function sparkleRollouts({ steps, alpha, ...options }: SparkleRollouts = {}): RolloutPlan {
  return {
    policy: sparkle({ ...options, strict: true }),
    branch({ prompt, input }) {
      const isFork = prompt === 'sparkle/decide' && exploresBoth((input as ThinkInput).thoughts.length, steps)
      return isFork ? { forced: ['No (retrieval is not required)', 'Yes (retrieval is required)'] } : {}
    },
    invalid: 'fails',
    failedReward: 0,
    merge: { fork: 'sparkle/decide', at: 'sparkle/think' },
    needs: 'answers',
    leaf({ answer = '', trace }, { docids, answers }) {
      const recall = contextRecall(trace.outcome.citations ?? [], docids)
      return sparkleReward(
        { recall, f1: answerF1(answer, answers) },
        { ...(alpha !== undefined && { alpha }) },
      )
    },
  }
}
