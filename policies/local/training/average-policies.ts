/**
 * Several linear policies with different query orders and draws, and their mean, which is again a linear policy. For a query that
 * could go either way, the choice of a single policy depends on the luck of its draws.
 */

import { checkOption } from '../../../src/learn/check-option.ts'
import { rounded } from '../../../src/learn/network.ts'
import type { Scorer } from '../../../src/learn/scorer.ts'
import { type ChoiceCheckpoint, type ChoiceEpoch, checkSameRun } from './choice-checkpoint.ts'
import type { ChoiceProblem } from './choice-learner.ts'
import { type ChoiceOptions, type TrainedChoice, trainPrepared } from './policy-gradient.ts'
import { prepareProblems } from './prepared-problems.ts'

export interface AverageOptions
  extends Omit<ChoiceOptions, 'hidden' | 'resume' | 'onCheckpoint' | 'onEpoch'> {
  /** How many policies to train. Default: 1. */
  readonly models?: number
  /** The checkpoint of an earlier run with the same problems and options. */
  readonly resume?: AverageCheckpoint | undefined
  /** Called after each epoch of each policy. Policies count from 0. */
  readonly onEpoch?: (epoch: ChoiceEpoch, model: number, snapshot: () => Scorer) => void
  readonly onCheckpoint?: ((checkpoint: AverageCheckpoint) => void | Promise<void>) | undefined
}

export interface AverageCheckpoint extends Pick<ChoiceCheckpoint, 'settings' | 'problems'> {
  /** The finished policies, in order. */
  readonly finished: readonly TrainedChoice[]
  /** The checkpoint of the next policy. */
  readonly choice?: ChoiceCheckpoint
}

/** The distance between the seeds of two policies. */
const seedStep = 1000

/**
 * Trains the policies and averages their weights. The log and the curve are those of the first policy. The same problems, options
 * and seed give the same scorer, even if the run was aborted and resumed.
 *
 * @throws QuerentError as `trainChoice`
 */
export async function trainAveragePolicy(
  problems: readonly ChoiceProblem[],
  { models = 1, seed, resume, signal, onEpoch, onCheckpoint, ...options }: AverageOptions,
): Promise<TrainedChoice> {
  checkOption('models', models, Number.isInteger(models) && models >= 1, 'a whole number, 1 or more')
  const prepared = prepareProblems(problems, options.inputs)
  const run = { settings: { models, seed, ...options }, problems: prepared.digest }
  if (resume !== undefined) checkSameRun(resume, run.settings, run.problems)
  const finished = [...(resume?.finished ?? [])]
  let half = resume?.choice
  for (let model = finished.length; model < models; model++) {
    finished.push(
      await trainPrepared(prepared, {
        ...options,
        seed: seed + seedStep * model,
        ...(half && { resume: half }),
        ...(signal && { signal }),
        ...(onEpoch && { onEpoch: (epoch, snapshot) => onEpoch(epoch, model, snapshot) }),
        ...(onCheckpoint && {
          onCheckpoint: (choice) => onCheckpoint({ ...run, finished: [...finished], choice }),
        }),
      }),
    )
    half = undefined
  }
  const [first] = finished as [TrainedChoice, ...TrainedChoice[]]
  return { ...first, scorer: meanOf(finished.map(({ scorer }) => scorer)) }
}

/** The mean of linear scorers with the same standardization. */
function meanOf(scorers: readonly Scorer[]): Scorer {
  const [first] = scorers as [Scorer, ...Scorer[]]
  const skip = first.skip.map((_, input) =>
    rounded(scorers.reduce((sum, scorer) => sum + scorer.skip[input]!, 0) / scorers.length),
  )
  return { ...first, skip }
}
