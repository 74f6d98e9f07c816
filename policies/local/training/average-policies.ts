/**
 * Several linear policies with different query orders and draws, and their mean, which is again a linear policy. For a query that
 * could go either way, the choice of a single policy depends on the luck of its draws.
 */

import { checkOption } from '../../../src/learn/check-option.ts'
import { rounded } from '../../../src/learn/network.ts'
import type { Scorer } from '../../../src/learn/scorer.ts'
import type { ChoiceEpoch } from './choice-epoch.ts'
import type { ChoiceProblem } from './choice-learner.ts'
import { type ChoiceOptions, type TrainedChoice, trainPrepared } from './policy-gradient.ts'
import { prepareProblems } from './prepared-problems.ts'

export interface AverageOptions extends Omit<ChoiceOptions, 'hidden' | 'onEpoch'> {
  /** How many policies to train. Default: 1. */
  readonly models?: number
  /** Called after each epoch of each policy. Policies count from 0. */
  readonly onEpoch?: (epoch: ChoiceEpoch, model: number, snapshot: () => Scorer) => void
}

/** The distance between the seeds of two policies. */
const seedStep = 1000

/**
 * Trains the policies and averages their weights. The log and the curve are those of the first policy. The same problems, options
 * and seed give the same scorer.
 *
 * @throws QuerentError `bad-config` for options out of range, inconsistent problems, or a reward that is not finite; `aborted`
 */
export async function trainAveragePolicy(
  problems: readonly ChoiceProblem[],
  { models = 1, seed, signal, onEpoch, ...options }: AverageOptions,
): Promise<TrainedChoice> {
  checkOption('models', models, Number.isInteger(models) && models >= 1, 'a whole number, 1 or more')
  const prepared = prepareProblems(problems, options.inputs)
  const finished: TrainedChoice[] = []
  for (let model = 0; model < models; model++) {
    finished.push(
      await trainPrepared(prepared, {
        ...options,
        seed: seed + seedStep * model,
        ...(signal && { signal }),
        ...(onEpoch && { onEpoch: (epoch, snapshot) => onEpoch(epoch, model, snapshot) }),
      }),
    )
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
