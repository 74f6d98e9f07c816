/**
 * Explores a policy: runs it again and again, each time with other completions of its prompts, until every way that `branch` opens has
 * been taken. Rollouts of one prompt, chains of several and trees are the same. The policy knows nothing of it: its `ask` is replaced.
 */
import type { Policy } from '../policy.ts'
import type { Query } from '../types.ts'
import type { Merge } from './exploring/merge.ts'
import { type RunOptions, runAlong } from './exploring/run.ts'
import { type Explored, type Growing, grown } from './exploring/tree.ts'

export interface ExploreOptions extends Pick<RunOptions, 'search' | 'complete' | 'branch' | 'reward'> {
  /**
   * What a completion that does not parse does. `fails`: the run ends as a failed leaf. `falls-back`: the policy goes on as in a
   * search, and the action is marked. Default: `fails`.
   */
  readonly invalid?: 'fails' | 'falls-back'
  /** The reward of a failed leaf: after an invalid completion, a spent budget, or a fallback. Default: 0. */
  readonly failedReward?: number
  /** Prunes branches that come to the state of another one. Default: none are. */
  readonly merge?: Merge | undefined
  /** The maximum number of runs. Default: 64. */
  readonly maxRuns?: number
  readonly signal?: AbortSignal
}

/** The tree; its root is the query. */
export type Rollouts = Explored & {
  readonly runs: number
  /** How many completions were not run because of `maxRuns`. They are not in the tree. */
  readonly dropped: number
}

/**
 * A run ends in one leaf, so there are as many leaves as runs. Prompts are known by their names and messages: the policy must be made
 * `strict`, and must choose nothing except by asking.
 *
 * @throws QuerentError `not-deterministic` for a policy that chooses otherwise; the error of `search`, `complete` or `reward`
 */
export async function explore(query: Query, policy: Policy, options: ExploreOptions): Promise<Rollouts> {
  const {
    invalid = 'fails',
    failedReward = 0,
    merge,
    maxRuns = 64,
    signal = new AbortController().signal,
    ...given
  } = options
  const settings = { ...given, invalid, failedReward, merge, signal }
  const root: Growing = { children: [] }
  const open: Growing[][] = [[root]]
  let runs = 0
  while (open.length > 0 && runs < maxRuns) {
    signal.throwIfAborted()
    const path = open.pop()!
    path.at(-2)?.children.push(path.at(-1)!)
    runs++
    const end = await runAlong(query, policy, path, (other) => open.push(other), settings)
    path.at(-1)!.end = end
  }
  return { ...grown(root), runs, dropped: open.length }
}
