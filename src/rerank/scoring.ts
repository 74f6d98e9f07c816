/** The three steps of re-ranking, as they run on the features of a pool. */
import { prepareScorer, type Scorer } from '../scorer.ts'
import { softmax } from '../softmax.ts'
import type { PoolFeatures } from './features.ts'
import { groupsOf, lowestLog, topSize } from './group-features.ts'

/** Scores rows by the mean of some scorers. */
export type Score = (features: Float32Array, rows: number) => Float64Array

export function prepareMean(scorers: readonly Scorer[]): Score {
  const prepared = scorers.map((scorer) => prepareScorer(scorer))
  return (features, rows) => {
    const sum = new Float64Array(rows)
    for (const score of prepared)
      score(features, rows).forEach((value, row) => {
        sum[row]! += value
      })
    return sum.map((value) => value / prepared.length)
  }
}

/** Rows by score, best first; equal ones in their order. */
export function orderOf(scores: ArrayLike<number>): number[] {
  return Array.from(scores, (_, row) => row).sort((a, b) => scores[b]! - scores[a]! || a - b)
}

/** The logarithm of each row's probability. */
export const logsOf = (scores: Float64Array): Float64Array => softmax(scores).map(Math.log)

/** What the last step adds its scores to: that the documents of a group are relevant independently of each other. */
export function groupOffsets(top: readonly number[], logs: ArrayLike<number>): Float64Array {
  const logOf = (place: number): number => Math.max(lowestLog, logs[top[place]!]!)
  return Float64Array.from(groupsOf(top.length), ([a, b]) => logOf(a) + (b === undefined ? 0 : logOf(b)))
}

/** For each place the probability of the groups that it is in. */
function marginals(scores: Float64Array, count: number): Float64Array {
  const probabilities = softmax(scores)
  const sums = new Float64Array(count)
  groupsOf(count).forEach((places, row) => {
    for (const place of places) sums[place!]! += probabilities[row]!
  })
  return sums
}

export interface Steps {
  /** One a row: what documents are ordered by. */
  readonly scores: Float64Array
  /** The second step's, of which `scores` differ for the rows of `top` only. */
  readonly second: Float64Array
  readonly probabilities: Float64Array
  readonly top: readonly number[]
}

export function prepareSteps(models: {
  readonly first: Score
  readonly second: Score
  readonly pair: Score | undefined
}): (features: PoolFeatures) => Steps {
  return (features) => {
    const { rows } = features
    const probabilities = softmax(models.first(features.first, rows))
    const second = logsOf(models.second(features.second(probabilities), rows))
    const top = orderOf(second).slice(0, topSize)
    if (models.pair === undefined || top.length < 2) return { scores: second, second, probabilities, top }
    const offsets = groupOffsets(top, second)
    const given = models.pair(features.groups(top, second), offsets.length)
    const shares = marginals(
      given.map((score, row) => score + offsets[row]!),
      top.length,
    )
    const scores = Float64Array.from(second)
    top.forEach((row, place) => {
      scores[row] = Math.log(shares[place]!)
    })
    // Whoever is not among the first stays behind them, as far as before.
    const lowest = top.reduce((least, row) => Math.min(least, scores[row]!), Infinity)
    const before = second[top.at(-1)!]!
    const inTop = new Set(top)
    for (let row = 0; row < rows; row++) if (!inTop.has(row)) scores[row] = lowest + second[row]! - before
    return { scores, second, probabilities, top }
  }
}
