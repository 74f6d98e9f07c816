/** The three steps of re-ranking on the features of a pool. */

import type { Score } from '../../../src/learn/scorer.ts'
import { softmax } from '../../../src/learn/softmax.ts'
import { orderOf } from '../../../src/rank.ts'
import type { PoolFeatures } from './features.ts'
import { groupsOf, lowestLog, topSize } from './group-features.ts'
import type { Retrieved } from './pool.ts'

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

/** @returns a function of a pool and what the last step decides; the second step orders the others */
export function prepareSteps(models: {
  readonly first: Score
  readonly second: Score
  readonly pair: Score | undefined
}): (features: PoolFeatures, last: LastStep) => Steps {
  return (features, last) => {
    const probabilities = softmax(models.first(features.first, features.rows))
    const raw = models.second(features.second(probabilities), features.rows)
    const second = logsOf(raw)
    const top = orderOf(second).slice(0, last.size)
    if (models.pair === undefined || top.length < 2) return { scores: second, second, probabilities, raw }
    const given = models.pair(features.groups(top, second), groupsOf(top.length).length)
    return { scores: withPairs(second, given, last), second, probabilities, raw }
  }
}

/**
 * The final scores: those of the second step, but for the places that the last step decides.
 *
 * @param second the logarithm of each row's probability
 * @param given the last step's score of each group of the first rows
 */
export function withPairs(
  second: Float64Array,
  given: Float64Array,
  { size, places }: LastStep,
): Float64Array {
  const top = orderOf(second).slice(0, size)
  const offsets = groupOffsets(top, second)
  const shares = marginals(
    given.map((score, row) => score + offsets[row]!),
    top.length,
  )
  const logs = shares.map((share) => Math.log(Math.max(share, Number.MIN_VALUE)))
  const byShare = orderOf(logs)
  const leading = byShare.slice(0, places)
  const rows = new Set(leading.map((place) => top[place]!))
  // The other rows stay behind these, in the order and with the distances of the second step.
  const next = orderOf(second).find((row) => !rows.has(row))
  const nextLog = next === undefined ? 0 : second[next]!
  const lowest = logs[leading.at(-1)!]!
  const floor = Math.min(
    byShare[places] === undefined ? lowest + nextLog - second[top.at(-1)!]! : logs[byShare[places]]!,
    lowest - leastGap,
  )
  const scores = second.map((log) => log + floor - nextLog)
  for (const place of leading) scores[top[place]!] = logs[place]!
  return scores
}

/** What the last step looks at, and what it decides. */
export interface LastStep {
  /** How many of the first documents it scores, alone and in pairs. */
  readonly size: number
  /** How many places it decides. */
  readonly places: number
}

/**
 * If sub-queries were searched, the user needs documents that complete each other, so a document that pairs well with another comes
 * first, at any place. If only the original query was searched, a pair fills the first two places. Many more documents may be
 * relevant behind them: Cranfield's queries have eight. A pair of the first eight then costs half as much as one of twelve, and
 * changed nothing on plain queries and 0.3 points of recall@2 on HotpotQA.
 */
export const lastStepOf = ({ hasOthers }: Pick<Retrieved, 'hasOthers'>): LastStep =>
  hasOthers ? { size: topSize, places: topSize } : { size: 8, places: 2 }
