/** Rollouts of `agentic`: a tree of the completions of its only prompt. The answer, what was kept, and the number of prompts are the reward. */
import { acqoProfiles, rewardOfRanks } from '../../../policies/acqo/rewards.ts'
import { type AgenticOptions, agentic } from '../../../policies/agentic/agentic.ts'
import { parseRound } from '../../../policies/agentic/parse.ts'
import type { RoundInput } from '../../../policies/agentic/prompt.ts'
import { answerF1 } from '../../text/answer.ts'
import type { Action } from '../exploring/tree.ts'
import type { RolloutPlan } from './plan.ts'

/** As ACQO's reward server has it. */
const stageTwo = acqoProfiles.hotpotqa

export interface AgenticRollouts extends Pick<AgenticOptions, 'policy' | 'rerank' | 'maxRounds'> {
  /** How many completions of the first prompt are tried; of each later one, two. Default: 4. */
  readonly samples?: number | undefined
  /** The weight of the documents beside that of the answer, from 0 to 1. Default: 0.3, as in SPARKLE's paper. */
  readonly alpha?: number | undefined
  /** What each prompt after the first costs, from 0. Default: 0.05. */
  readonly price?: number | undefined
}

export function agenticRollouts({
  samples = 4,
  alpha = 0.3,
  price = 0.05,
  ...options
}: AgenticRollouts = {}): RolloutPlan {
  return {
    policy: agentic({ ...options, answer: 'short', strict: true }),
    branch: ({ depth }) => ({ samples: depth === 0 ? samples : 2 }),
    invalid: 'fails',
    // No better than the most prompts for a wrong answer.
    failedReward: -price * (options.maxRounds ?? 2),
    needs: 'answers',
    leaf({ answer = '' }, { docids, answers }, { path }) {
      const f1 = answerF1(answer, answers)
      const cost = price * (path.length - 1)
      if (docids.length === 0) return f1 - cost
      const kept = [...new Set(path.flatMap(keptBy))]
      const ranks = docids.map((docid) => kept.indexOf(docid) + 1 || undefined)
      const best = docids.map((_, place) => place + 1)
      // The reward of ACQO's Stage II, as a share of the best one.
      const share = rewardOfRanks(ranks, stageTwo) / rewardOfRanks(best, stageTwo)
      return (1 - alpha) * f1 + alpha * share - cost
    },
  }
}

/** The docids that a completion keeps. */
function keptBy({ completion, input }: Action): string[] {
  const { documents, isLast } = input as RoundInput
  const format = { form: 'short', strict: true, isLast, count: documents.length } as const
  const { documents: kept } = parseRound(completion, format)
  return kept.map((number) => documents[number - 1]!.docid)
}
