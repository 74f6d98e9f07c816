/** The three steps of re-ranking on the features of a pool. */

import type { Score } from '../../../src/learn/scorer.ts'
import { softmax } from '../../../src/learn/softmax.ts'
import { orderOf } from '../../../src/rank.ts'
import type { PoolFeatures } from './features.ts'
import { groupsOf, lowestLog, topSize } from './group-features.ts'
import type { Retrieved } from './pool.ts'
import type { Question } from './question.ts'

/** The logarithm of each row's probability. */
export const logsOf = (scores: Float64Array): Float64Array => softmax(scores).map(Math.log)

/** The baseline of the last step's scores: the documents of a group are relevant independently of each other. */
export function groupOffsets(top: readonly number[], logs: ArrayLike<number>): Float64Array {
  const logOf = (place: number): number => Math.max(lowestLog, logs[top[place]!]!)
  return Float64Array.from(groupsOf(top.length), ([a, b]) => logOf(a) + (b === undefined ? 0 : logOf(b)))
}

/** For each place, the probability of the groups that contain it. */
function marginals(scores: Float64Array, count: number): Float64Array {
  const probabilities = softmax(scores)
  const sums = new Float64Array(count)
  groupsOf(count).forEach((places, row) => {
    for (const place of places) sums[place!]! += probabilities[row]!
  })
  return sums
}

export interface Steps {
  /** The final score of each row. */
  readonly scores: Float64Array
  /** The second step's scores. `scores` keeps their order after the places that the last step decides. */
  readonly second: Float64Array
  readonly probabilities: Float64Array
  /** The second step's scores before the softmax. */
  readonly raw: Float64Array
}

/** The minimum distance between scores that must not tie. */
export const leastGap = 1e-6

/** @returns a function of a pool, and of whether the last step pairs its documents */
export function prepareSteps(models: {
  readonly first: Score
  readonly second: Score
  readonly pair: Score | undefined
}): (features: PoolFeatures, pairs: boolean) => Steps {
  return (features, pairs) => {
    const probabilities = softmax(models.first(features.first, features.rows))
    const raw = models.second(features.second(probabilities), features.rows)
    const second = logsOf(raw)
    const order = orderOf(second)
    const top = order.slice(0, topSize)
    if (!pairs || models.pair === undefined || top.length < 2)
      return { scores: second, second, probabilities, raw }
    const given = models.pair(features.groups(top, second), groupsOf(top.length).length)
    return { scores: withPairs(second, order, given), second, probabilities, raw }
  }
}

/**
 * Whether the last step looks for documents that complete each other: where a question was split. Where the query alone was searched it
 * changes nothing on average, and of conversations, where several documents say the same, it loses 1 to 2 points of nDCG@10.
 */
export const hasPairs = ({ turns }: Question, { hasOthers }: Retrieved): boolean => hasOthers && turns === 0

/**
 * The final scores: a document that pairs well with another comes first. The rows that are not among the first stay behind them,
 * in the order and with the distances of the second step.
 *
 * @param second the logarithm of each row's probability
 * @param order the rows by that, best first: the last step orders the first of them
 * @param given the last step's score of each group of the first rows
 */
export function withPairs(second: Float64Array, order: readonly number[], given: Float64Array): Float64Array {
  const top = order.slice(0, topSize)
  const offsets = groupOffsets(top, second)
  const shares = marginals(
    given.map((score, row) => score + offsets[row]!),
    top.length,
  )
  const logs = shares.map((share) => Math.log(Math.max(share, Number.MIN_VALUE)))
  const next = second[order[topSize] ?? top[0]!]!
  const gap = Math.max(second[top.at(-1)!]! - next, leastGap)
  const behind = Math.min(...logs) - gap
  const scores = second.map((log) => log - next + behind)
  top.forEach((row, place) => {
    scores[row] = logs[place]!
  })
  return scores
}
