/** The parts of a policy-gradient step: K rollouts of a query, the update from a batch of them, and the state of the policy. */
import { QuerentError } from '../../../src/errors.ts'
import type { Adam } from '../../../src/learn/adam.ts'
import type { Shape } from '../../../src/learn/forward-pass.ts'
import { createNetwork } from '../../../src/learn/network.ts'
import type { Rows } from '../../../src/learn/products.ts'
import type { Random } from '../../../src/learn/random.ts'
import { softmax } from '../../../src/learn/softmax.ts'
import { mean } from '../../../src/learn/statistics.ts'
import { type Clip, groupAdvantages, hasZeroVariance } from '../../../src/training/advantage.ts'
import type { ChoiceEpoch } from './choice-epoch.ts'
import { choiceGradients, entropyOf, type Group } from './choice-gradients.ts'

/** One query and its actions. */
export interface ChoiceProblem {
  readonly qid: string
  /** The number of actions, from 1. */
  readonly actions: number
  /** actions × inputs, action by action. */
  readonly features: Float32Array
  /**
   * The reward of an action by the rules of a stage: a finite number, the same each time. Called repeatedly for every drawn
   * action, so cache expensive rewards.
   */
  reward(action: number, stage: 1 | 2): number
  /** The number of sub-queries of an action, for `ChoiceEpoch.expectedSize`. */
  size?(action: number): number
}

/** The rollouts of a query, before their advantages are computed. */
interface Rollouts extends Omit<Group, 'advantages'> {
  /** The query's index among the problems. */
  readonly index: number
  readonly rewards: readonly number[]
}

interface Method {
  readonly rollouts: number
  readonly innerPasses: number
  readonly learningRate: number
  readonly entropy: number
  readonly kl: number
  readonly clip: Clip
  /** Epsilon of the advantages. */
  readonly epsilon: number
}

export interface Learner {
  /** Draws K actions of a query and computes their rewards. */
  rollOut(index: number, stage: 1 | 2): Rollouts
  /** Takes the gradient steps of one batch. */
  learn(batch: readonly Rollouts[]): void
  /** Measures the policy over all queries, including those that a filter dropped. */
  survey(): Pick<ChoiceEpoch, 'entropy' | 'expectedSize'>
}

/** The state that changes while the policy learns. */
interface Policy {
  readonly shape: Shape
  readonly parameters: Float64Array
  readonly adam: Adam
  readonly random: Random
}

/** @param tables the problems' standardized rows */
export function createLearner(
  problems: readonly ChoiceProblem[],
  tables: readonly Rows[],
  { shape, parameters, adam, random }: Policy,
  { rollouts, innerPasses, learningRate, entropy, kl, clip, epsilon }: Method,
): Learner {
  const maxActions = problems.reduce((largest, { actions }) => Math.max(largest, actions), 0)
  const network = createNetwork(shape, parameters, maxActions)
  const { gradient } = network
  const scores = new Float64Array(maxActions)
  const probabilities = new Float64Array(maxActions)
  const slopes = new Float64Array(maxActions)

  /** Writes π of a query to `probabilities`. */
  function decide(index: number): void {
    network.forward(tables[index]!, scores)
    softmax(scores, tables[index]!.count, probabilities)
  }

  function rollOut(index: number, stage: 1 | 2): Rollouts {
    decide(index)
    const { count } = tables[index]!
    const actions = Array.from({ length: rollouts }, () => draw(probabilities, count, random))
    return {
      index,
      actions,
      drawnWith: actions.map((action) => probabilities[action]!),
      rewards: actions.map((action) => rewardOf(problems[index]!, action, stage)),
    }
  }

  function learn(drawn: readonly Rollouts[]): void {
    const groups = drawn
      .filter(({ rewards }) => !hasZeroVariance(rewards))
      .map((group) => ({ ...group, advantages: groupAdvantages(group.rewards, { epsilon }) }))
    if (groups.length === 0) return
    for (let pass = 0; pass < innerPasses; pass++) {
      gradient.fill(0)
      for (const group of groups) {
        decide(group.index)
        choiceGradients(group, probabilities, tables[group.index]!.count, { clip, entropy, kl }, slopes)
        network.backward(tables[group.index]!, slopes)
      }
      for (let index = 0; index < gradient.length; index++) gradient[index]! /= groups.length
      adam.step(parameters, gradient, learningRate)
    }
  }

  function survey(): Pick<ChoiceEpoch, 'entropy' | 'expectedSize'> {
    const entropies: number[] = []
    const sizes: number[] = []
    for (const [index, problem] of problems.entries()) {
      decide(index)
      entropies.push(entropyOf(probabilities, problem.actions))
      if (problem.size === undefined) continue
      let expected = 0
      for (let action = 0; action < problem.actions; action++)
        expected += probabilities[action]! * problem.size(action)
      sizes.push(expected)
    }
    return { entropy: mean(entropies), ...(sizes.length > 0 && { expectedSize: mean(sizes) }) }
  }

  return { rollOut, learn, survey }
}

/** Draws an action by its probability. Never draws an impossible action, which would have no ratio. */
function draw(probabilities: Float64Array, count: number, random: Random): number {
  let left = random.float()
  for (let action = 0; action < count - 1; action++) {
    left -= probabilities[action]!
    if (left < 0) return action
  }
  return count - 1
}

function rewardOf(problem: ChoiceProblem, action: number, stage: 1 | 2): number {
  const earned = problem.reward(action, stage)
  if (Number.isFinite(earned)) return earned
  throw new QuerentError('bad-config', `The query "${problem.qid}" earns ${earned} for action ${action}`, {
    remedy: 'Give finite rewards.',
  })
}
