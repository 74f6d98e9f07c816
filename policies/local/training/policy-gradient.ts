/**
 * ACQO's training of the decision (sections 3.3 and 3.4, A.2) over enumerable actions. π is the exact softmax of a small
 * network's scores. K rollouts per query are drawn from it, and their group-relative advantages update it, in two stages. No text
 * is generated, so there are no tokens: a rollout is one choice.
 */
import { setImmediate } from 'node:timers/promises'
import { QuerentError } from '../../../src/errors.ts'
import { createAdam } from '../../../src/learn/adam.ts'
import { checkOption } from '../../../src/learn/check-option.ts'
import { drawParameters, toScorer } from '../../../src/learn/network.ts'
import { createRandom, permutation } from '../../../src/learn/random.ts'
import type { Scorer } from '../../../src/learn/scorer.ts'
import type { Clip } from '../../../src/training/advantage.ts'
import {
  beginCurriculum,
  type CurriculumEntry,
  type CurriculumOptions,
  nextTask,
  type Task,
} from '../../../src/training/curriculum.ts'
import type { ChoiceEpoch } from './choice-epoch.ts'
import { createLearner } from './choice-learner.ts'
import type { PreparedProblems } from './prepared-problems.ts'

export interface ChoiceOptions {
  /** The names of the features, in the order of a row. */
  readonly inputs: readonly string[]
  /** ReLU units beside the linear path. Default: 0, a linear policy. */
  readonly hidden?: number
  /** K, the number of rollouts per query. Default: 8, as in the paper. */
  readonly rollouts?: number
  /** Default: 0.02, Querent's value. */
  readonly learningRate?: number
  /** The weight of the policy's entropy in the objective. Default: 0.02, Querent's value; the paper has 0, for a large model. */
  readonly entropy?: number
  /**
   * β: the weight of KL(reference ‖ π) in the loss. The reference always takes a query's first action. The term keeps drawing
   * that action, even if it is bad for most queries. From 0. Default: 0.
   */
  readonly kl?: number
  /** Queries per batch: their rollouts are drawn together. Default: 32. */
  readonly batch?: number
  /** Gradient steps per batch of rollouts. Default: 2. */
  readonly innerPasses?: number
  readonly clip?: Clip
  /**
   * Added to the standard deviation of a group's rewards. Default: 1e-6, as in verl. A larger value reduces the weight of groups
   * whose rewards hardly differ; otherwise they count as much as any other.
   */
  readonly epsilon?: number
  readonly curriculum?: CurriculumOptions
  /** Determines the initial weights of hidden units, the order of the queries, and the draws. */
  readonly seed: number
  /** Called after each epoch. `snapshot` makes a scorer of the current policy, for held-out curves. */
  readonly onEpoch?: (epoch: ChoiceEpoch, snapshot: () => Scorer) => void
  readonly signal?: AbortSignal
}

export interface TrainedChoice {
  readonly scorer: Scorer
  /** Every decision of the curriculum. */
  readonly log: readonly CurriculumEntry[]
  readonly curve: readonly ChoiceEpoch[]
}

/**
 * Trains a policy. Initially, all actions are equally likely. The same problems, options and seed give the same scorer, rounded
 * to 6 significant digits.
 *
 * For each query of a batch, K actions are drawn from π. Groups with equal rewards are dropped. On the others, Adam takes
 * `innerPasses` steps on the mean over groups of the clipped loss, the entropy and the divergence.
 *
 * @param problems several policies share them
 * @throws QuerentError `bad-config` for options out of range, or a reward that is not finite; `aborted`
 */
export async function trainPrepared(
  { problems, inputs, standard, tables }: PreparedProblems,
  {
    hidden = 0,
    rollouts = 8,
    learningRate = 0.02,
    entropy = 0.02,
    kl = 0,
    batch = 32,
    innerPasses = 2,
    clip = {},
    epsilon = 1e-6,
    curriculum: plan = {},
    seed,
    onEpoch,
    signal,
  }: Omit<ChoiceOptions, 'inputs'>,
): Promise<TrainedChoice> {
  const counts = { rollouts, batch, innerPasses }
  for (const [name, value] of Object.entries(counts))
    checkOption(name, value, Number.isInteger(value) && value >= 1, 'a whole number, 1 or more')
  checkOption('hidden', hidden, Number.isInteger(hidden) && hidden >= 0, 'a whole number, 0 or more')
  checkOption('learningRate', learningRate, learningRate > 0, 'above 0')
  checkOption('entropy', entropy, entropy >= 0, '0 or more')
  checkOption('kl', kl, kl >= 0, '0 or more')
  checkOption('epsilon', epsilon, epsilon >= 0, '0 or more')
  const shape = { inputs: inputs.length, hidden }
  const random = createRandom(seed)
  const parameters = drawParameters(shape, random, 0)
  const adam = createAdam(parameters.length)
  const method = { rollouts, innerPasses, learningRate, entropy, kl, clip, epsilon }
  const learner = createLearner(problems, tables, { shape, parameters, adam, random }, method)

  const placeOf = new Map(problems.map(({ qid }, index) => [qid, index]))
  /** A measurement learns nothing, so its order does not matter. */
  function orderOf(task: Task): readonly number[] {
    const places = task.qids.map((qid) => placeOf.get(qid)!)
    return task.type === 'train'
      ? [...permutation(places.length, random)].map((index) => places[index]!)
      : places
  }

  let curriculum = beginCurriculum([...placeOf.keys()], plan)
  const curve: ChoiceEpoch[] = []
  const snapshot = (): Scorer => toScorer(inputs, standard, hidden, parameters)

  while (curriculum.task !== undefined) {
    const { task } = curriculum
    // The difficulty is Stage I's reward (eq. 7), before Stage I and before Stage II.
    const stage = task.type === 'train' ? task.stage : 1
    const order = orderOf(task)
    const rewards: (readonly number[])[] = []
    while (rewards.length < order.length) {
      await setImmediate()
      if (signal?.aborted) throw new QuerentError('aborted', 'Training was aborted', { cause: signal.reason })
      const drawn = order
        .slice(rewards.length, rewards.length + batch)
        .map((index) => learner.rollOut(index, stage))
      if (task.type === 'train') learner.learn(drawn)
      rewards.push(...drawn.map((group) => group.rewards))
    }
    const earned = new Map(order.map((index, place) => [problems[index]!.qid, rewards[place]!]))
    curriculum = nextTask(curriculum, earned, plan)
    if (task.type === 'train') {
      const last = curriculum.log.findLast((entry) => entry.type === 'epoch')!
      const { epoch, meanReward } = last
      const zeroVariance = last.zeroVariance / last.groups
      curve.push({ stage, epoch, meanReward, zeroVariance, ...learner.survey() })
      onEpoch?.(curve.at(-1)!, snapshot)
    }
  }
  return { scorer: snapshot(), log: curriculum.log, curve }
}
