/** Logistic regression with a small network: the probability that something holds. */
import { sigmoid } from '../sigmoid.ts'
import { fitRows, type RowsOptions, type WeightedRow } from './fit-rows.ts'
import type { Scorer } from './scorer.ts'

/** One observation. */
export interface Observation extends WeightedRow {
  readonly holds: boolean
}

/**
 * Fits a scorer whose score is a log odds: `sigmoid` of it is the probability that it holds. The loss is the cross-entropy.
 *
 * @throws QuerentError as `fitRows`
 */
export const fitProbability = (observations: readonly Observation[], options: RowsOptions): Promise<Scorer> =>
  fitRows(observations, ({ holds }, score) => sigmoid(score) - (holds ? 1 : 0), options)
