/**
 * ACQO's two-stage curriculum (section 3.4 and A.3) as data: what the trainer has to do next, and a log of every decision.
 *
 * The curriculum does nothing itself. It is a value; the trainer carries out its `task`, and `nextTask` makes the value that
 * follows from the rewards. It is plain JSON, so that a checkpoint can hold it.
 *
 *     let curriculum = beginCurriculum(qids, options)
 *     while (curriculum.task !== undefined)
 *       curriculum = nextTask(curriculum, await carryOut(curriculum.task), options)
 */

import { type ChallengeZone, checkedZone, difficulty, isChallenging } from '../../policies/acqo/rewards.ts'
import { QuerentError } from '../errors.ts'
import { checkOption } from '../learn/check-option.ts'
import { mean } from '../learn/statistics.ts'
import { byCodeUnit } from '../rank.ts'
import { hasZeroVariance } from './advantage.ts'

export interface CurriculumOptions extends ChallengeZone {
  /** Default: 1, ours: more made a small policy worse. The paper has 2 for TopiOCQA and 3 for HotpotQA. */
  readonly stageOneEpochs?: number
  /** Default: 11, ours. The paper has 4 to 10. */
  readonly stageTwoEpochs?: number
  /**
   * The share of the queries that are kept before Stage I, the hardest ones. Default: 1, all, as for TopiOCQA; A.3 has 0.5 for
   * HotpotQA.
   */
  readonly retain?: number
  /** Whether Stage II leaves out what `tauMax` and `tauMin` exclude. Default: true. False is for ablations. */
  readonly filter?: boolean
  /**
   * Stage I ends early when the share of groups with zero variance exceeds this: a policy that has made up its mind cannot
   * learn from Stage II. Default: 0.6, ours. 1 never ends it.
   */
  readonly maxZeroVariance?: number
}

/**
 * What the trainer does next. `measure`: roll every query out, with the policy as it is and Stage I's reward, and learn nothing.
 * `train`: one epoch with the stage's reward; groups of zero variance are to be left out of the update.
 */
export type Task =
  | { readonly type: 'measure'; readonly before: 1 | 2; readonly qids: readonly string[] }
  | {
      readonly type: 'train'
      readonly stage: 1 | 2
      readonly epoch: number
      readonly qids: readonly string[]
    }

/** One entry of the log. Queries are in the order of the training set. */
export type CurriculumEntry =
  | {
      readonly type: 'filter'
      readonly before: 1 | 2
      /** Why these: the hardest share of all (before Stage I), or those whose τ is in the zone (before Stage II). */
      readonly rule: 'retain' | 'challenge-zone'
      readonly kept: readonly { readonly qid: string; readonly tau: number }[]
      readonly dropped: readonly { readonly qid: string; readonly tau: number }[]
    }
  | {
      readonly type: 'epoch'
      readonly stage: 1 | 2
      readonly epoch: number
      readonly meanReward: number
      readonly groups: number
      /** How many of them taught nothing. */
      readonly zeroVariance: number
    }
  | {
      readonly type: 'end'
      readonly stage: 1 | 2
      /** Epochs that were trained. */
      readonly epochs: number
      /** `no-variance`: no group taught anything. `too-certain`: `maxZeroVariance`. `no-queries`: the filter kept none. */
      readonly reason: 'epochs' | 'no-variance' | 'too-certain' | 'no-queries'
    }

export interface Curriculum {
  /** Absent at the end. */
  readonly task?: Task
  readonly log: readonly CurriculumEntry[]
}

/** qid → the rewards of its rollouts. */
export type Rewards = ReadonlyMap<string, readonly number[]>

/**
 * The beginning: with `retain` below 1 all queries are measured, else Stage I begins with all of them.
 *
 * @param qids of the training set, each once
 * @throws QuerentError `bad-config` for an option out of its range
 */
export function beginCurriculum(qids: readonly string[], options: CurriculumOptions = {}): Curriculum {
  const { retain } = checked(options)
  const begun: Curriculum = { log: [] }
  return retain < 1
    ? { ...begun, task: { type: 'measure', before: 1, qids } }
    : beginStage(begun, 1, qids, options)
}

/**
 * What follows from the rewards of the task. The same rewards always give the same value.
 *
 * Stage II follows Stage I; between them the queries Stage I had are measured, and those in the challenge zone are kept. A
 * stage ends after its epochs, or when no group has any variance; Stage I also when too few have.
 *
 * @param options as the curriculum was begun with
 * @throws QuerentError `bad-config` where a query of the task has no rewards
 */
export function nextTask(
  curriculum: Curriculum,
  rewards: Rewards,
  options: CurriculumOptions = {},
): Curriculum {
  const { task } = curriculum
  if (task === undefined) return curriculum
  return task.type === 'measure'
    ? afterMeasuring(curriculum, task, rewards, options)
    : afterEpoch(curriculum, task, rewards, options)
}

function afterMeasuring(
  curriculum: Curriculum,
  { before, qids }: Task & { type: 'measure' },
  rewards: Rewards,
  options: CurriculumOptions,
): Curriculum {
  const { retain, zone } = checked(options)
  const measured = qids.map((qid) => ({ qid, tau: difficulty(rewardsOf(qid, rewards)) }))
  const hardest = new Set(
    [...measured]
      .sort((a, b) => a.tau - b.tau || byCodeUnit(a.qid, b.qid))
      .slice(0, Math.ceil(retain * measured.length))
      .map(({ qid }) => qid),
  )
  const isKept = ({ qid, tau }: { qid: string; tau: number }): boolean =>
    before === 1 ? hardest.has(qid) : isChallenging(tau, zone)
  const kept = measured.filter(isKept)
  const entry: CurriculumEntry = {
    type: 'filter',
    before,
    rule: before === 1 ? 'retain' : 'challenge-zone',
    kept,
    dropped: measured.filter((one) => !isKept(one)),
  }
  return beginStage(
    noted(curriculum, entry),
    before,
    kept.map(({ qid }) => qid),
    options,
  )
}

function afterEpoch(
  curriculum: Curriculum,
  { stage, epoch, qids }: Task & { type: 'train' },
  rewards: Rewards,
  options: CurriculumOptions,
): Curriculum {
  const { epochs, maxZeroVariance } = checked(options)
  const groups = qids.map((qid) => rewardsOf(qid, rewards))
  const zeroVariance = groups.filter(hasZeroVariance).length
  const after = noted(curriculum, {
    type: 'epoch',
    stage,
    epoch,
    meanReward: mean(groups.map(mean)),
    groups: groups.length,
    zeroVariance,
  })
  const reason =
    zeroVariance === groups.length
      ? 'no-variance'
      : stage === 1 && zeroVariance > maxZeroVariance * groups.length
        ? 'too-certain'
        : epoch >= epochs[stage]
          ? 'epochs'
          : undefined
  if (reason === undefined) return { ...after, task: { type: 'train', stage, epoch: epoch + 1, qids } }
  return endStage(after, { stage, epochs: epoch, reason, qids }, options)
}

function beginStage(
  curriculum: Curriculum,
  stage: 1 | 2,
  qids: readonly string[],
  options: CurriculumOptions,
): Curriculum {
  if (qids.length === 0)
    return endStage(curriculum, { stage, epochs: 0, reason: 'no-queries', qids }, options)
  if (checked(options).epochs[stage] === 0)
    return endStage(curriculum, { stage, epochs: 0, reason: 'epochs', qids }, options)
  return { ...curriculum, task: { type: 'train', stage, epoch: 1, qids } }
}

function endStage(
  curriculum: Curriculum,
  { qids, ...end }: Omit<CurriculumEntry & { type: 'end' }, 'type'> & { readonly qids: readonly string[] },
  options: CurriculumOptions,
): Curriculum {
  const { epochs, filter } = checked(options)
  const after = noted(curriculum, { type: 'end', ...end })
  if (end.stage === 2) return after
  if (qids.length === 0 || epochs[2] === 0 || !filter) return beginStage(after, 2, qids, options)
  return { ...after, task: { type: 'measure', before: 2, qids } }
}

/** The curriculum with one more entry, and without a task. */
const noted = ({ log }: Curriculum, entry: CurriculumEntry): Curriculum => ({ log: [...log, entry] })

function rewardsOf(qid: string, rewards: Rewards): readonly number[] {
  const group = rewards.get(qid)
  if (group !== undefined && group.length > 0) return group
  throw new QuerentError('bad-config', `There are no rewards of the query "${qid}"`, {
    remedy: 'Give the rewards of the rollouts of every query of the task.',
  })
}

function checked({
  stageOneEpochs = 1,
  stageTwoEpochs = 11,
  retain = 1,
  filter = true,
  maxZeroVariance = 0.6,
  ...zone
}: CurriculumOptions): {
  readonly epochs: Readonly<Record<1 | 2, number>>
  readonly retain: number
  readonly filter: boolean
  readonly maxZeroVariance: number
  readonly zone: ChallengeZone
} {
  for (const [name, epochs] of Object.entries({ stageOneEpochs, stageTwoEpochs }))
    checkOption(name, epochs, Number.isInteger(epochs) && epochs >= 0, 'a whole number, 0 or more')
  checkOption('retain', retain, retain > 0 && retain <= 1, 'above 0 and at most 1')
  const isShare = maxZeroVariance >= 0 && maxZeroVariance <= 1
  checkOption('maxZeroVariance', maxZeroVariance, isShare, 'from 0 to 1')
  const epochs = { 1: stageOneEpochs, 2: stageTwoEpochs }
  return { epochs, retain, filter, maxZeroVariance, zone: checkedZone(zone) }
}
