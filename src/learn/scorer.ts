/**
 * A small network that scores rows of features: one hidden layer of ReLU units, plus a linear path.
 *
 *     z = (x − mean) / deviation, clipped to ±5        score = skip · z + Σ out · max(0, weights · z + bias)
 *
 * It is plain arithmetic on arrays, without dependencies.
 */
import { type Features, type Standard, scoreRows, standardize } from './forward-pass.ts'

/** A trained network. Plain JSON. Without hidden units it is linear. */
export interface Scorer {
  /** The names of the features, in the order of a row. */
  readonly inputs: readonly string[]
  /** The mean of each input over the training rows. */
  readonly mean: readonly number[]
  /** The standard deviation of each input over the training rows; 1 if the input was constant. */
  readonly deviation: readonly number[]
  /** The linear path: one weight per input. */
  readonly skip: readonly number[]
  readonly hidden: readonly {
    readonly bias: number
    /** One per input. */
    readonly weights: readonly number[]
    /** The output weight. */
    readonly out: number
  }[]
}

/**
 * Scores rows. It writes the scores to the first `rows` elements of `into` (default: a new array) and returns `into`. A NaN
 * feature counts as the mean.
 */
export type Score = (features: Features, rows: number, into?: Float64Array) => Float64Array

/** Returns a function that scores rows. The function reuses its working memory between calls. */
export const prepareScorer = (scorer: Scorer): Score => prepareMean([scorer])

/** The same for the mean score of several scorers of the same inputs. */
export function prepareMean(scorers: readonly Scorer[]): Score {
  const networks = scorers.map((scorer, place) => ({
    shape: { inputs: scorer.inputs.length, hidden: scorer.hidden.length },
    standard: standardOf(scorer),
    // Scorers that learned from the same rows share one table.
    isAsBefore: place > 0 && isSameStandard(scorer, scorers[place - 1]!),
    parameters: flatten(scorer),
  }))
  let table = new Float32Array(0)
  let activations = new Float64Array(0)
  let own = new Float64Array(0)
  return (features, rows, into = new Float64Array(rows)) => {
    into.fill(0, 0, rows)
    if (own.length < rows) {
      own = new Float64Array(rows)
      table = new Float32Array(rows * Math.max(...networks.map(({ shape }) => shape.inputs)))
      activations = new Float64Array(rows * Math.max(...networks.map(({ shape }) => shape.hidden)))
    }
    for (const { shape, standard, isAsBefore, parameters } of networks) {
      if (!isAsBefore) for (let row = 0; row < rows; row++) standardize(features, row, standard, table, row)
      scoreRows(parameters, shape, { table, first: 0, count: rows }, activations, own)
      for (let row = 0; row < rows; row++) into[row]! += own[row]!
    }
    for (let row = 0; row < rows; row++) into[row]! /= networks.length
    return into
  }
}

/** Arrays of a file may hold any value, and are slower to read. */
const standardOf = ({ mean, deviation }: Standard): Standard => ({
  mean: Float64Array.from(mean),
  deviation: Float64Array.from(deviation),
})

const isSameStandard = (one: Scorer, other: Scorer): boolean =>
  one.mean.every((mean, input) => mean === other.mean[input]) &&
  one.deviation.every((deviation, input) => deviation === other.deviation[input])

/** Explains a score, which is the sum of `parts` and `rest`. */
export interface ScoreParts {
  readonly score: number
  /** The contribution of each input, in the order of the inputs; 0 for an input at the mean of the training rows. */
  readonly parts: readonly number[]
  /** The part that does not depend on the inputs: the biases of the active units. */
  readonly rest: number
}

/**
 * Explains the score of one row: each input contributes its distance from the mean times the gradient of the score. The
 * score is linear as long as no unit turns on or off, so the contributions are exact within that region.
 *
 * @param row index of the row. Default: 0
 */
export function explainScore(scorer: Scorer, features: Features, row = 0): ScoreParts {
  const { inputs, skip } = scorer
  const z = new Float32Array(inputs.length)
  standardize(features, row, standardOf(scorer), z, 0)
  const active = scorer.hidden.filter(
    ({ bias, weights }) => weights.reduce((sum, weight, input) => sum + weight * z[input]!, bias) > 0,
  )
  const gradient = inputs.map((_, input) =>
    active.reduce((sum, { out, weights }) => sum + out * weights[input]!, skip[input]!),
  )
  const parts = gradient.map((weight, input) => weight * z[input]!)
  const rest = active.reduce((sum, { out, bias }) => sum + out * bias, 0)
  return { score: parts.reduce((sum, part) => sum + part, rest), parts, rest }
}

/** The parameters in one array, in the order of `scoreRows`: linear path, weights unit by unit, biases, output weights. */
function flatten({ skip, hidden }: Scorer): Float64Array {
  return Float64Array.from([
    ...skip,
    ...hidden.flatMap(({ weights }) => weights),
    ...hidden.map(({ bias }) => bias),
    ...hidden.map(({ out }) => out),
  ])
}
