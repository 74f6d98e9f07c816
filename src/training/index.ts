/**
 * `querent/training`: rewards, the curriculum, advantages, and training of a local policy.
 *
 * @module querent/training
 */

export {
  acqoProfiles,
  type Bonus,
  baseReward,
  type ChallengeZone,
  type Decay,
  difficulty,
  type FusedReward,
  formatGate,
  isChallenging,
  rewardOfRanks,
  stageOneReward,
  stageTwoReward,
  subsetRewards,
} from '../../policies/acqo/rewards.ts'
export type { JudgedQueries } from '../../policies/local/training/check-training-data.ts'
export type { PhaseProgress } from '../../policies/local/training/rerank-training.ts'
export {
  type IndexedCollection,
  type IndexTraining,
  type IndexTrainingOptions,
  type IndexTrainingProgress,
  trainOnIndexes,
} from '../../policies/local/training/train-on-indexes.ts'
export type { Judge } from '../evaluation/answer-metrics.ts'
export { type Clip, clipGradient, clipLoss, groupAdvantages, hasZeroVariance } from './advantage.ts'
export type { Measured } from './by-difficulty.ts'
export {
  beginCurriculum,
  type Curriculum,
  type CurriculumEntry,
  type CurriculumOptions,
  nextTask,
  type Rewards,
  type Task,
} from './curriculum.ts'
export {
  type Click,
  type ClickedSearch,
  type ClickJudgments,
  type ClickOptions,
  judgmentsOfClicks,
} from './data/clicks.ts'
export { readClicks } from './data/read-clicks.ts'
export { readTraces } from './data/read-traces.ts'
export { readUbiEvents, readUbiQueries } from './data/read-ubi.ts'
export {
  searchesOfUbi,
  type UbiEvent,
  type UbiLogs,
  type UbiOptions,
  type UbiQuery,
  type UbiSearches,
} from './data/ubi.ts'
export { type ExploreOptions, explore, type Rollouts } from './explore.ts'
export type { Branching, Complete } from './exploring/branching.ts'
export type { Merge } from './exploring/merge.ts'
export {
  type Action,
  type AskedPrompt,
  type Completed,
  type End,
  type Explored,
  nodesOf,
} from './exploring/tree.ts'
export { type ExampleOptions, type Examples, examplesOf, type PromptOptions } from './export/examples.ts'
export { type Example, type Format, formats, sftRow } from './export/formats.ts'
export { type Rejection, type RejectionOptions, rejectionSample } from './export/rejection.ts'
export { type RolloutRowOptions, rolloutRows } from './export/rollout-rows.ts'
export { type Selection, type SelectionOptions, selectExamples } from './export/select-examples.ts'
export type { Reward, ServedRewardOptions } from './rewards/reward.ts'
export type { Rollout, RolloutScorer } from './rewards/scorer.ts'
export { type AcqoRollouts, acqoRollouts } from './rollouts/acqo.ts'
export { type AgenticRollouts, agenticRollouts } from './rollouts/agentic.ts'
export { type RolloutSettings, rolloutNames, rolloutsNamed } from './rollouts/by-name.ts'
export { type C3poRollouts, c3poRollouts } from './rollouts/c3po.ts'
export { type JudgeModel, judgeWith } from './rollouts/judge.ts'
export { type MaoRollouts, maoRollouts } from './rollouts/mao.ts'
export { type MmoaRollouts, mmoaRollouts } from './rollouts/mmoa.ts'
export type { Golds, LeafTools, RolloutPlan } from './rollouts/plan.ts'
export { readRollouts } from './rollouts/read-rollouts.ts'
export { type RecordedNode, type RolloutRecord, recordedNodes } from './rollouts/record.ts'
export { type RollOutOptions, rollOut } from './rollouts/roll-out.ts'
export { type SparkleRollouts, sparkleRollouts } from './rollouts/sparkle.ts'
export { type RolloutsReport, type WriteRolloutsOptions, writeRollouts } from './rollouts/write-rollouts.ts'
export { type TreeAdvantages, treeAdvantages } from './tree-advantages.ts'
export {
  type Branch,
  type FailedLeaf,
  type Leaf,
  type PruneCredit,
  type PrunedBranch,
  type RolloutNode,
  treeCredit,
} from './tree-credit.ts'
