/** Trains the scorer of choices with the paper's two-stage curriculum, for a given reward and options. */

import type { Scorer } from '../../../src/learn/scorer.ts'
import type { CurriculumEntry } from '../../../src/training/curriculum.ts'
import { actionInputs } from '../actions.ts'
import { choiceProblem, type PreparedExample, type RewardOptions } from './action-space.ts'
import { type AverageOptions, trainAveragePolicy } from './average-policies.ts'
import type { ChoiceEpoch } from './choice-epoch.ts'
import type { ChoiceProblem } from './choice-learner.ts'
import { defaultChoice, defaultReward } from './defaults.ts'

export interface TrainedDecision {
  readonly scorer: Scorer
  /** Log and curve of the first policy; `scorer` is the mean of several policies. */
  readonly log: readonly CurriculumEntry[]
  readonly curve: readonly ChoiceEpoch[]
}

export interface DecisionProgress {
  readonly phase: 'decision'
  readonly epoch: ChoiceEpoch
  /** The number of the current policy, from 1, and how many policies are trained for the mean. */
  readonly policy: number
  readonly policies: number
  /** Epochs of all policies together. */
  readonly done: number
  readonly total: number
}

export interface DecisionTrainingOptions {
  readonly seed: number
  readonly reward?: RewardOptions | undefined
  readonly choice?: Partial<Omit<AverageOptions, 'inputs' | 'seed' | 'signal' | 'onEpoch'>> | undefined
  readonly onProgress?: ((progress: DecisionProgress) => void) | undefined
  readonly signal?: AbortSignal | undefined
}

/**
 * The choice for each query as a problem. Make them once for all trainings: a problem remembers what its choices earn, which
 * takes a fusion for each of them.
 */
export const choiceProblems = (
  prepared: readonly PreparedExample[],
  reward: RewardOptions = defaultReward,
): ChoiceProblem[] => prepared.map((one) => choiceProblem(one, reward))

/** Trains the scorer of choices. */
export async function trainDecision(
  problems: readonly ChoiceProblem[],
  { seed, choice = {}, onProgress, signal }: Omit<DecisionTrainingOptions, 'reward'>,
): Promise<TrainedDecision> {
  const curriculum = { ...defaultChoice.curriculum, ...choice.curriculum }
  const { models } = { ...defaultChoice, ...choice }
  const epochs = curriculum.stageOneEpochs + curriculum.stageTwoEpochs
  return trainAveragePolicy(problems, {
    ...defaultChoice,
    ...choice,
    curriculum,
    inputs: actionInputs,
    seed,
    ...(signal && { signal }),
    onEpoch: (epoch, model) => {
      const done = model * epochs + (epoch.stage === 1 ? 0 : curriculum.stageOneEpochs) + epoch.epoch
      onProgress?.({
        phase: 'decision',
        epoch,
        policy: model + 1,
        policies: models,
        done,
        total: models * epochs,
      })
    },
  })
}
