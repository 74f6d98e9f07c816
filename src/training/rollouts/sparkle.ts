/** Rollouts of SPARKLE (3.1, 3.2): at each of the first steps the tree goes on with a search and without one. */
import type { ThinkInput } from '../../../policies/sparkle/prompts.ts'
import {
  answerRecall,
  contextRecall,
  exploresBoth,
  sparkleReward,
} from '../../../policies/sparkle/rewards.ts'
import { type SparkleOptions, sparkle } from '../../../policies/sparkle/sparkle.ts'
import { answerF1 } from '../../text/answer.ts'
import type { Document } from '../../types.ts'
import type { Action } from '../exploring/tree.ts'
import type { PruneCredit } from '../tree-credit.ts'
import type { RolloutPlan } from './plan.ts'

export interface SparkleRollouts
  extends Pick<
    SparkleOptions,
    'triples' | 'embedder' | 'maxSteps' | 'maxRounds' | 'firstRetrieval' | 'chain'
  > {
  /** L: the first steps at which both decisions are taken; 0 makes one chain. Default: 4, as in the paper. */
  readonly steps?: number | undefined
  /** α: the weight of recall beside that of F1, from 0 to 1. Default: 0.3, as in the paper. */
  readonly alpha?: number | undefined
  /**
   * The recall of a query without known relevant documents. `none`: its reward is F1 alone. `answer`: 1 if a document of the context
   * contains an accepted answer, else 0. Default: `none`.
   */
  readonly unjudged?: 'none' | 'answer' | undefined
  /**
   * The credit of a search that selects nothing new, and of the completions that led to it. Default: `none`: they are not trained.
   * `{ penalty: 0.1 }` as in the authors' code.
   */
  readonly pruneCredit?: PruneCredit | undefined
}

export function sparkleRollouts({
  steps,
  alpha,
  unjudged = 'none',
  pruneCredit,
  ...options
}: SparkleRollouts = {}): RolloutPlan {
  return {
    policy: sparkle({ ...options, strict: true }),
    branch({ prompt, input }) {
      const isFork = prompt === 'sparkle/decide' && exploresBoth((input as ThinkInput).thoughts.length, steps)
      return isFork ? { forced: ['No (retrieval is not required)', 'Yes (retrieval is required)'] } : {}
    },
    invalid: 'fails',
    failedReward: 0,
    pruneCredit,
    merge: { fork: 'sparkle/decide', at: 'sparkle/think' },
    needs: 'answers',
    leaf({ answer = '' }, { docids, answers }, { path }) {
      const context = contextOf(path)
      const known = contextRecall(
        context.map(({ docid }) => docid),
        docids,
      )
      const texts = context.map(({ title = '', text }) => `${title} ${text}`)
      const recall = known ?? (unjudged === 'answer' ? answerRecall(texts, answers) : undefined)
      return sparkleReward({ recall, f1: answerF1(answer, answers) }, { alpha })
    },
  }
}

/** c_T: the documents that the last thought or the answer was made from. */
function contextOf(path: readonly Action[]): readonly Document[] {
  const last = path.findLast(({ prompt }) => prompt === 'sparkle/think')
  return last === undefined ? [] : (last.input as ThinkInput).documents
}
