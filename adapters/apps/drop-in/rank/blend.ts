/** Blends two orders of the same documents by their scores, which may have any scale. */
import { mean } from '../../../../src/learn/statistics.ts'

/** A document's place in a blend. */
export interface Share {
  /** How far above the mean of its order a document is, in standard deviations and times the weight of the order. */
  readonly engine: number
  readonly reranker: number
}

/** Scores further below the best one do not differ: logarithms of probabilities have no lower end. */
const range = 15

/**
 * @param engine the engine's scores of the documents, 0 or higher
 * @param reranker the re-ranker's scores of the same documents
 * @param weight of the engine's order, from 0 to 1
 */
export function blend(engine: readonly number[], reranker: readonly number[], weight: number): Share[] {
  // What a score means is its ratio to others: boosts multiply it.
  const ofEngine = standardized(engine.map((score) => Math.log(Math.max(score, Number.MIN_VALUE))))
  const ofReranker = standardized(reranker)
  return ofEngine.map((score, place) => ({
    engine: weight * score,
    reranker: (1 - weight) * ofReranker[place]!,
  }))
}

function standardized(scores: readonly number[]): number[] {
  const lowest = scores.reduce((most, score) => Math.max(most, score), -Infinity) - range
  const clipped = scores.map((score) => Math.max(score, lowest))
  const middle = mean(clipped)
  const deviation = Math.sqrt(mean(clipped.map((score) => (score - middle) ** 2)))
  return clipped.map((score) => (deviation === 0 ? 0 : (score - middle) / deviation))
}
