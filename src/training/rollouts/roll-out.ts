/** Rolls out a query: explores it as its policy's plan says, and prices every completion. */
import { isQuerentError, QuerentError } from '../../errors.ts'
import type { Judge } from '../../evaluation/answer-metrics.ts'
import { createOptimizer, type OptimizerOptions } from '../../optimizer.ts'
import { settingsOf } from '../../prompt.ts'
import type { ChatModel, Query } from '../../types.ts'
import { explore, type Rollouts } from '../explore.ts'
import type { Complete } from '../exploring/branching.ts'
import type { Golds, RolloutPlan } from './plan.ts'
import { rememberedCompletions, rememberedRetriever } from './remembered.ts'

export interface RollOutOptions
  extends Pick<OptimizerOptions, 'retrievers' | 'documents' | 'fusion' | 'k' | 'depth'> {
  /** Completes the agents' prompts. */
  readonly agents: ChatModel
  /** Completes all other prompts. Default: `agents`. */
  readonly environment?: ChatModel
  /** The temperature of the agents. Default: 0.8. One that was set for the model `agents` itself wins. */
  readonly temperature?: number
  readonly judge?: Judge | undefined
  /** The maximum number of leaves. Default: 64. */
  readonly maxRuns?: number
  readonly signal: AbortSignal
}

/** Milliseconds for a request to a retriever. Nobody waits for a search here. */
const patience = 60_000

/**
 * @throws QuerentError `not-deterministic`; the error of a model; `retriever-failed` if something was not searched: no reward stands
 *   in for a failure of the machinery
 */
export async function rollOut(
  query: Query,
  golds: Golds,
  plan: RolloutPlan,
  options: RollOutOptions,
): Promise<Rollouts> {
  const { agents, environment = agents, temperature = 0.8, judge, maxRuns, signal, ...searched } = options
  const isAgent = (name: string): boolean => plan.policy.agents?.includes(name) === true
  const retrievers = searched.retrievers.map((retriever) => rememberedRetriever(retriever, signal))
  const byAgents = rememberedCompletions(completeWith(agents))
  const byOthers = rememberedCompletions(completeWith(environment))
  const complete: Complete = (prompt, messages, runSignal) =>
    isAgent(prompt.name)
      ? byAgents({ ...prompt, temperature }, messages, runSignal)
      : byOthers(prompt, messages, runSignal)
  return explore(query, plan.policy, {
    branch: plan.branch,
    invalid: plan.invalid,
    failedReward: plan.failedReward,
    merge: plan.merge,
    complete,
    reward: (result, path) => plan.leaf(result, golds, { path, judge, signal }),
    async search(given, policy, runSignal) {
      const { search } = createOptimizer({ ...searched, retrievers, policy, legTimeout: patience })
      const result = await search(given, { signal: runSignal }).catch((thrown: unknown) => {
        // Every retriever failed, and the first one's own error came.
        throw runSignal.aborted || isQuerentError(thrown) ? thrown : missingLegs(given, thrown)
      })
      if (result.trace.partial) throw missingLegs(given)
      return result
    },
    signal,
    ...(maxRuns !== undefined && { maxRuns }),
  })
}

/** What an answer of the model is as an action. One that is empty, refused or cut off is an invalid one. */
const completeWith =
  (model: ChatModel): Complete =>
  async (prompt, messages, signal) => {
    try {
      return { text: (await model.complete(messages, { ...settingsOf(prompt), signal })).text }
    } catch (thrown) {
      if (isQuerentError(thrown, 'bad-completion')) return { text: '', unusable: thrown.what }
      throw thrown
    }
  }

const missingLegs = ({ qid, text }: Query, cause?: unknown): QuerentError =>
  new QuerentError(
    'retriever-failed',
    `The query ${JSON.stringify(qid ?? text)} cannot be rolled out: a retriever failed or was late`,
    { remedy: 'Look at the backend, and try again.', ...(cause !== undefined && { cause }) },
  )
