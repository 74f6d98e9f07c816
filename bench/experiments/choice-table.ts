/** All that a query's choices find, reckoned once: every training and every comparison of a seed looks here. */
import { rankScore } from '../../fusion/rank-score.ts'
import { actionInputs } from '../../policies/local/actions.ts'
import {
  choiceProblem,
  fusedHits,
  type PreparedExample,
  type RewardOptions,
} from '../../policies/local/training/action-space.ts'
import type { ChoiceProblem } from '../../policies/local/training/choice-learner.ts'
import { columnsOf } from '../../policies/local/training/decision-training.ts'
import type { Fusion } from '../../src/types.ts'
import { measure } from './measures.ts'
import { templatesOf } from './template.ts'

export interface ChoiceTable {
  readonly prepared: PreparedExample
  readonly templates: Int32Array
  /** The sub-queries of a choice. */
  size(choice: number): number
  /** Whether a choice has sub-queries that were made from what the query as it is found. */
  hasSecondStage(choice: number): boolean
  /** By `measureNames`, of the fused hits. */
  measures(choice: number): readonly number[]
  /** The fused docids, best first. */
  fused(choice: number): readonly string[]
  /** Without what sub-queries cost. */
  reward(choice: number, stage: 1 | 2): number
}

/** @param reward without what sub-queries cost: that is the trainings' affair */
export function choiceTable(
  prepared: PreparedExample,
  { cost: _, ...reward }: RewardOptions,
  fusion: Fusion = rankScore(),
): ChoiceTable {
  const { choices, candidates, example } = prepared
  const isPlain = fusion.name === rankScore().name
  const ofStageOne = choiceProblem(prepared, { ...reward, ...(!isPlain && { fusion }) })
  const known: (readonly number[] | undefined)[] = []
  const fused = (choice: number): string[] => fusedHits(prepared, choice, fusion).map(({ docid }) => docid)
  const measures = (choice: number): readonly number[] => {
    known[choice] ??= measure(fused(choice), example.golds, reward)
    return known[choice]
  }
  return {
    prepared,
    templates: templatesOf(prepared),
    size: (choice) => choices[choice]!.members.length,
    hasSecondStage: (choice) =>
      choices[choice]!.members.some((member) => candidates[member]!.from !== undefined),
    measures,
    fused,
    reward: (choice, stage) => (stage === 1 ? ofStageOne.reward(choice, 1) : measures(choice)[0]!),
  }
}

export interface ProblemOptions {
  /** What each sub-query takes from the reward in training. Default: 0. */
  readonly cost?: number | undefined
  /** Choices that may be made. Default: all. */
  readonly kept?: readonly number[] | undefined
  /** What the policy sees. Default: all of `actionInputs`. */
  readonly inputs?: readonly string[] | undefined
  /** In place of the query's own rewards. */
  readonly reward?: ((choice: number, stage: 1 | 2) => number) | undefined
}

/** A query's choices as a problem of the trainer, whose actions are the choices that were kept. */
export function problemOf(
  table: ChoiceTable,
  { cost = 0, kept, inputs = actionInputs, reward = table.reward }: ProblemOptions,
): ChoiceProblem {
  const { prepared } = table
  const choiceOf = (action: number): number => kept?.[action] ?? action
  return {
    qid: prepared.example.qid,
    actions: kept?.length ?? prepared.choices.length,
    features: featuresOf(table, kept, inputs),
    size: (action) => table.size(choiceOf(action)),
    reward(action, stage) {
      const choice = choiceOf(action)
      return reward(choice, stage) - cost * table.size(choice)
    },
  }
}

/** The features of the choices that were kept, as far as they are seen. */
export function featuresOf(
  { prepared: { features } }: ChoiceTable,
  kept: readonly number[] | undefined,
  inputs: readonly string[],
): Float32Array {
  const seen = inputs === actionInputs ? features : columnsOf(features, inputs)
  if (kept === undefined) return seen
  const width = inputs.length
  const rows = new Float32Array(kept.length * width)
  for (const [row, choice] of kept.entries())
    rows.set(seen.subarray(choice * width, (choice + 1) * width), row * width)
  return rows
}
