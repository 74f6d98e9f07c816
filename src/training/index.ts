/** `querent/training`: rewards, the curriculum, advantages, and training of a local policy. */
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
export {
  type IndexedCollection,
  type IndexTraining,
  type IndexTrainingOptions,
  type IndexTrainingProgress,
  trainOnIndexes,
} from '../../policies/local/training/train-on-indexes.ts'
export { type Clip, clipGradient, clipLoss, groupAdvantages, hasZeroVariance } from './advantage.ts'
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
export { type ExampleOptions, type Examples, examplesOf, type PromptOptions } from './export/examples.ts'
export { type Example, formats, sftRow } from './export/formats.ts'
export { type Rejection, type RejectionOptions, rejectionSample } from './export/rejection.ts'
