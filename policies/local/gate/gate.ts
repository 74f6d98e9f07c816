/**
 * The gate: decides whether the best set of sub-queries is worth a request. It predicts the gain of the set in points of the
 * metric. The set is searched if its gain is above what a request has to bring.
 */
import { prepareMean, type Scorer } from '../../../src/learn/scorer.ts'
import { actionInputs, setInputs } from '../actions.ts'
import { defaultEffort, efforts } from '../effort.ts'
import { contextFeatures } from '../query-context.ts'
import { checkInputs } from '../rerank/rerank-section.ts'
import { evidenceFeatures } from './evidence.ts'

export const gateInputs: readonly string[] = [
  ...contextFeatures,
  ...evidenceFeatures,
  ...setInputs,
  'set: probability',
  'set: expected sub-queries',
  'set: number of sets',
]

/** The gate learns to decide for this cost, and predicts what a set gains beyond it. */
export const learnedCost = efforts[defaultEffort]

/** How many networks predict the gain, at most; their mean counts. */
export const gateNetworks = 6

/** A query with its sets, as the gate sees them. */
export interface Weighed {
  readonly stage: {
    /** By `contextFeatures`. */
    readonly query: Float32Array
    /** By `evidenceFeatures`. */
    readonly evidence: Float32Array
  }
  readonly choices: readonly { readonly members: readonly number[] }[]
  /** choices × actionInputs */
  readonly features: Float32Array
}

/** The gate's inputs for one set. @param probabilities of the sets, by the policy that chooses among them */
export function gateRow(
  { stage, choices, features }: Weighed,
  set: number,
  probabilities: ArrayLike<number>,
): Float32Array {
  const row = new Float32Array(gateInputs.length)
  const at = set * actionInputs.length
  const size = choices.reduce((sum, { members }, place) => sum + probabilities[place]! * members.length, 0)
  row.set(stage.query)
  row.set(stage.evidence, stage.query.length)
  row.set(features.subarray(at, at + setInputs.length), stage.query.length + stage.evidence.length)
  row.set([probabilities[set]!, size / 5, choices.length / 50], gateInputs.length - 3)
  return row
}

/**
 * Returns a function that predicts the gain of a set: the mean of nDCG@10 and recall@5 with it, less that of the original query,
 * from −1 to 1.
 *
 * @throws QuerentError `bad-config` if the scorers were trained on other features
 */
export function prepareGate(scorers: readonly Scorer[]): (row: Float32Array) => number {
  for (const [index, scorer] of scorers.entries()) checkInputs(`decision.gate[${index}]`, scorer, gateInputs)
  const score = prepareMean(scorers)
  return (row) => score(row, 1)[0]! + learnedCost
}
