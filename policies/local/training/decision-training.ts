/** Trains the scorer of choices with the paper's two-stage curriculum, for a given reward and options. */

import { QuerentError } from '../../../src/errors.ts'
import type { Scorer } from '../../../src/learn/scorer.ts'
import type { CurriculumEntry } from '../../../src/training/curriculum.ts'
import { actionInputs } from '../actions.ts'
import { choiceProblem, type PreparedExample, type RewardOptions } from './action-space.ts'
import { type AverageCheckpoint, type AverageOptions, trainAveragePolicy } from './average-policies.ts'
import type { ChoiceEpoch } from './choice-checkpoint.ts'
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

export interface ProblemOptions {
  readonly reward?: RewardOptions | undefined
  /** Default: all. Use fewer for ablations only. */
  readonly inputs?: readonly string[] | undefined
}

export interface DecisionTrainingOptions extends ProblemOptions {
  readonly seed: number
  readonly choice?:
    | Partial<Omit<AverageOptions, 'inputs' | 'seed' | 'resume' | 'signal' | 'onCheckpoint' | 'onEpoch'>>
    | undefined
  readonly onProgress?: ((progress: DecisionProgress) => void) | undefined
  readonly signal?: AbortSignal | undefined
  readonly resumeChoice?: AverageCheckpoint
  readonly onChoiceCheckpoint?: (checkpoint: AverageCheckpoint) => void | Promise<void>
}

/**
 * The choice for each query as a problem. Make them once for all trainings: a problem remembers what its choices earn, which
 * takes a fusion for each of them.
 */
export function choiceProblems(
  prepared: readonly PreparedExample[],
  { reward = defaultReward, inputs = actionInputs }: ProblemOptions = {},
): ChoiceProblem[] {
  return prepared.map((one) => {
    const problem = choiceProblem(one, reward)
    return inputs === actionInputs ? problem : { ...problem, features: columnsOf(problem.features, inputs) }
  })
}

/** Trains the scorer of choices. `inputs` are those that the problems were made with. */
export async function trainDecision(
  problems: readonly ChoiceProblem[],
  {
    seed,
    choice = {},
    inputs = actionInputs,
    resumeChoice,
    onChoiceCheckpoint,
    onProgress,
    signal,
  }: Omit<DecisionTrainingOptions, 'reward'>,
): Promise<TrainedDecision> {
  const curriculum = { ...defaultChoice.curriculum, ...choice.curriculum }
  const { models } = { ...defaultChoice, ...choice }
  const epochs = curriculum.stageOneEpochs + curriculum.stageTwoEpochs
  return trainAveragePolicy(problems, {
    ...defaultChoice,
    ...choice,
    curriculum,
    inputs,
    seed,
    ...(resumeChoice && { resume: resumeChoice }),
    ...(onChoiceCheckpoint && { onCheckpoint: onChoiceCheckpoint }),
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

/** The columns of these inputs. @throws QuerentError `bad-config` for an input that is not in `actionInputs` */
export function columnsOf(features: Float32Array, inputs: readonly string[]): Float32Array {
  const columns = inputs.map((input) => actionInputs.indexOf(input))
  const unknown = inputs.find((_, place) => columns[place] === -1)
  if (unknown !== undefined)
    throw new QuerentError('bad-config', `There is no input "${unknown}"`, {
      remedy: 'Choose among those of `actionInputs`.',
    })
  const rows = features.length / actionInputs.length
  const kept = new Float32Array(rows * columns.length)
  for (let row = 0; row < rows; row++)
    for (const [place, column] of columns.entries())
      kept[row * columns.length + place] = features[row * actionInputs.length + column]!
  return kept
}
