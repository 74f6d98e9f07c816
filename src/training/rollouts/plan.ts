/** How the rollouts of a policy are made: what each paper says about sampling, failures and rewards. */
import type { Judge } from '../../evaluation/answer-metrics.ts'
import type { Policy } from '../../policy.ts'
import type { SearchResult } from '../../types.ts'
import type { Branching } from '../exploring/branching.ts'
import type { Merge } from '../exploring/merge.ts'
import type { Action, AskedPrompt } from '../exploring/tree.ts'
import type { PruneCredit } from '../tree-credit.ts'

/** What is known of a query beforehand. */
export interface Golds {
  /** Docids of its relevant documents. */
  readonly docids: readonly string[]
  /** Its accepted answers. */
  readonly answers: readonly string[]
}

export interface LeafTools {
  /** All completions of the run. */
  readonly path: readonly Action[]
  /** Absent: answers are compared word for word. */
  readonly judge?: Judge | undefined
  readonly signal: AbortSignal
}

export interface RolloutPlan {
  /** Made `strict`. */
  readonly policy: Policy
  readonly branch: (asked: AskedPrompt) => Branching
  readonly invalid: 'fails' | 'falls-back'
  /** The reward of a failed leaf. */
  readonly failedReward: number
  /** The reward of a run that came to its end. */
  readonly leaf: (result: SearchResult, golds: Golds, tools: LeafTools) => number | Promise<number>
  /** What an agent's own completion adds to its credit: 0 or below. `below`: all actions after it. Default: 0. */
  readonly penalty?: (action: Action, below: readonly Action[]) => number
  readonly merge?: Merge
  /** The credit of completions that lead only to merged branches. Default: none. */
  readonly pruneCredit?: PruneCredit | undefined
  /** What rewards are made from. A query without it cannot be rolled out. */
  readonly needs: 'docids' | 'answers'
}
