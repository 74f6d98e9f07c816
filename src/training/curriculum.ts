/**
 * ACQO's two-stage curriculum (section 3.4 and A.3) as data: the trainer's next task, and a log of every decision.
 *
 * The curriculum is an immutable value. The trainer carries out its `task` and passes the rewards to `nextTask`, which
 * returns the next value.
 *
 *     let curriculum = beginCurriculum(qids, options)
 *     while (curriculum.task !== undefined)
 *       curriculum = nextTask(curriculum, await carryOut(curriculum.task), options)
 */

import { type ChallengeZone, checkedZone, difficulty } from '../../policies/acqo/rewards.ts'
import { QuerentError } from '../errors.ts'
import { checkOption } from '../learn/check-option.ts'
import { mean } from '../learn/statistics.ts'
import { hasZeroVariance } from './advantage.ts'
import { challengingOf, checkRetain, hardestOf, type Measured } from './by-difficulty.ts'

export interface CurriculumOptions extends ChallengeZone {
  /** Default: 1, Querent's choice: more epochs made a small policy worse. The paper uses 2 for TopiOCQA and 3 for HotpotQA. */
  readonly stageOneEpochs?: number
  /** Default: 11, Querent's choice. The paper uses 4 to 10. */
  readonly stageTwoEpochs?: number
  /**
   * The fraction of queries to keep before Stage I, hardest first. Default: 1 (all), as the paper does for TopiOCQA; A.3
   * uses 0.5 for HotpotQA.
   */
  readonly retain?: number
  /** Whether Stage II excludes queries outside of `tauMin` and `tauMax`. Default: true. False is for ablations. */
  readonly filter?: boolean
  /**
   * Stage I ends early when the fraction of groups with zero variance exceeds this: a policy without variance cannot learn
   * from Stage II. Default: 0.6, Querent's choice. 1 never ends it early.
   */
  readonly maxZeroVariance?: number
}

/**
 * The trainer's next task. `measure`: sample rollouts of every query with the current policy and Stage I's reward, without
 * training. `train`: train one epoch with the stage's reward; the update must skip groups with zero variance.
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
      /**
       * `retain`: keeps the hardest fraction of all queries (before Stage I). `challenge-zone`: keeps the queries whose τ is
       * in the zone (before Stage II).
       */
      readonly rule: 'retain' | 'challenge-zone'
      readonly kept: readonly Measured[]
      readonly dropped: readonly Measured[]
    }
  | {
      readonly type: 'epoch'
      readonly stage: 1 | 2
      readonly epoch: number
      readonly meanReward: number
      readonly groups: number
      /** Number of groups with zero variance, which teach nothing. */
      readonly zeroVariance: number
    }
  | {
      readonly type: 'end'
      readonly stage: 1 | 2
      /** Number of epochs trained. */
      readonly epochs: number
      /**
       * `no-variance`: all groups have zero variance. `too-certain`: more than `maxZeroVariance` of them have. `no-queries`:
       * the filter kept no query.
       */
      readonly reason: 'epochs' | 'no-variance' | 'too-certain' | 'no-queries'
    }

export interface Curriculum {
  /** The next task. Absent at the end. */
  readonly task?: Task
  readonly log: readonly CurriculumEntry[]
}

/** qid → the rewards of its rollouts. */
export type Rewards = ReadonlyMap<string, readonly number[]>

/**
 * Begins a curriculum. With `retain` below 1, the first task measures all queries. Otherwise Stage I begins with all
 * queries.
 *
 * @param qids the qids of the training set, without duplicates
 * @throws QuerentError `bad-config` for an option out of range
 */
export function beginCurriculum(qids: readonly string[], options: CurriculumOptions = {}): Curriculum {
  const { retain } = checked(options)
  const empty: Curriculum = { log: [] }
  return retain < 1
    ? { ...empty, task: { type: 'measure', before: 1, qids } }
    : beginStage(empty, 1, qids, options)
}

/**
 * Returns the next value, given the rewards of the current task. It is deterministic.
 *
 * Stage II follows Stage I. Between them, the queries of Stage I are measured, and those in the challenge zone are kept. A
 * stage ends after its epochs, or when all groups have zero variance. Stage I also ends when too many groups have zero
 * variance.
 *
 * @param options the options of `beginCurriculum`
 * @throws QuerentError `bad-config` if a query of the task has no rewards
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
  const chosen = before === 1 ? hardestOf(measured, retain) : challengingOf(measured, zone)
  const isKept = ({ qid }: Measured): boolean => chosen.has(qid)
  const kept = measured.filter(isKept)
  const entry: CurriculumEntry = {
    type: 'filter',
    before,
    rule: before === 1 ? 'retain' : 'challenge-zone',
    kept,
    dropped: measured.filter((one) => !isKept(one)),
  }
  return beginStage(
    withEntry(curriculum, entry),
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
  const after = withEntry(curriculum, {
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
  const after = withEntry(curriculum, { type: 'end', ...end })
  if (end.stage === 2) return after
  if (qids.length === 0 || epochs[2] === 0 || !filter) return beginStage(after, 2, qids, options)
  return { ...after, task: { type: 'measure', before: 2, qids } }
}

/** The curriculum with one more log entry, and without a task. */
const withEntry = ({ log }: Curriculum, entry: CurriculumEntry): Curriculum => ({ log: [...log, entry] })

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
  checkRetain(retain)
  const isShare = maxZeroVariance >= 0 && maxZeroVariance <= 1
  checkOption('maxZeroVariance', maxZeroVariance, isShare, 'from 0 to 1')
  const epochs = { 1: stageOneEpochs, 2: stageTwoEpochs }
  return { epochs, retain, filter, maxZeroVariance, zone: checkedZone(zone) }
}
