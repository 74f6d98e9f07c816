/**
 * A small network that gives every row of features one score: one hidden layer of ReLU units beside a linear path.
 *
 *     z = (x − mean) / deviation, clipped to ±5        score = skip · z + Σ out · max(0, weights · z + bias)
 *
 * Plain arithmetic on arrays, without dependencies: it runs wherever JavaScript does.
 */
import { type Features, scoreRows, standardize } from './forward-pass.ts'

/** A trained network. Plain JSON; without hidden units it is linear. */
export interface Scorer {
  /** The names of the features, in the order of a row. */
  readonly inputs: readonly string[]
  /** Of the training rows, one an input. */
  readonly mean: readonly number[]
  /** Of the training rows, one an input; 1 where an input was constant. */
  readonly deviation: readonly number[]
  /** The linear path, one weight an input. */
  readonly skip: readonly number[]
  readonly hidden: readonly {
    readonly bias: number
    /** One an input. */
    readonly weights: readonly number[]
    readonly out: number
  }[]
}

/**
 * Makes the function that scores rows. Its working memory is kept from call to call.
 *
 * It writes to `into`, where that is given, and returns it; only the first `rows` of it are touched. A feature that is
 * not a number counts as the mean.
 */
export function prepareScorer(
  scorer: Scorer,
): (features: Features, rows: number, into?: Float64Array) => Float64Array {
  const shape = { inputs: scorer.inputs.length, hidden: scorer.hidden.length }
  const { mean, deviation } = scorer
  const parameters = flatten(scorer)
  let table = new Float32Array(0)
  let activations = new Float64Array(0)
  return (features, rows, into = new Float64Array(rows)) => {
    if (table.length < rows * shape.inputs) {
      table = new Float32Array(rows * shape.inputs)
      activations = new Float64Array(rows * (1 + shape.hidden))
    }
    for (let row = 0; row < rows; row++) standardize(features, row, { mean, deviation }, table, row)
    scoreRows(parameters, shape, { table, first: 0, count: rows }, activations, into)
    return into
  }
}

/** Why a row has its score: the parts sum to it. */
export interface ScoreParts {
  readonly score: number
  /** What each input adds, in the order of the inputs; 0 for one that is at the mean of the training rows. */
  readonly parts: readonly number[]
  /** What no input adds: the biases of the units that this row turns on. */
  readonly rest: number
}

/**
 * Takes the score of one row apart: each input's distance from the mean times the slope of the score there. The score is
 * linear as long as no unit turns on or off, so within that region the parts are exact.
 *
 * @param row Default: 0
 */
export function explainScore(scorer: Scorer, features: Features, row = 0): ScoreParts {
  const { inputs, skip } = scorer
  const z = new Float32Array(inputs.length)
  standardize(features, row, scorer, z, 0)
  const active = scorer.hidden.filter(
    ({ bias, weights }) => weights.reduce((sum, weight, input) => sum + weight * z[input]!, bias) > 0,
  )
  const slopes = inputs.map((_, input) =>
    active.reduce((sum, { out, weights }) => sum + out * weights[input]!, skip[input]!),
  )
  const parts = slopes.map((slope, input) => slope * z[input]!)
  const rest = active.reduce((sum, { out, bias }) => sum + out * bias, 0)
  return { score: parts.reduce((sum, part) => sum + part, rest), parts, rest }
}

/** In one array, as `scoreRows` has it: the linear path, the weights unit by unit, all biases, all out-weights. */
function flatten({ skip, hidden }: Scorer): Float64Array {
  return Float64Array.from([
    ...skip,
    ...hidden.flatMap(({ weights }) => weights),
    ...hidden.map(({ bias }) => bias),
    ...hidden.map(({ out }) => out),
  ])
}
