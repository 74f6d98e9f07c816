/** The arithmetic that scoring and training share: it turns features into standardized rows, and rows into scores. */
import { multiplyRows, type Rows } from './products.ts'

/** The inputs of the items to be scored: rows × inputs, row by row. */
export type Features = Float32Array | Float64Array

/** Standardized inputs are clipped to ± this many standard deviations, so that no outlier dominates the score. */
const maxDeviations = 5

/** Parameters of the standardization: `mean` and `deviation` of a `Scorer`. */
export interface Standard {
  readonly mean: ArrayLike<number>
  readonly deviation: ArrayLike<number>
}

/** The sizes of a network. */
export interface Shape {
  readonly inputs: number
  readonly hidden: number
}

/** Writes row `from` of the features, standardized and clipped, into `row` of a table. NaN becomes 0. */
export function standardize(
  features: Features,
  from: number,
  { mean, deviation }: Standard,
  table: Float32Array,
  row: number,
): void {
  const inputs = mean.length
  for (let input = 0; input < inputs; input++) {
    const z = (features[from * inputs + input]! - mean[input]!) / deviation[input]!
    const clipped = z > maxDeviations ? maxDeviations : z < -maxDeviations ? -maxDeviations : z
    table[row * inputs + input] = Number.isNaN(clipped) ? 0 : clipped
  }
}

/**
 * The forward pass. It fills `scores`, and `activations` unit by unit: the outputs of the hidden units, one per row.
 *
 * @param parameters the linear path, the weights unit by unit, all biases, all output weights
 * @param activations at least rows × hidden
 */
export function scoreRows(
  parameters: Float64Array,
  { inputs, hidden }: Shape,
  rows: Rows,
  activations: Float64Array,
  scores: Float64Array,
): void {
  const { count } = rows
  const { values, stride } = multiplyRows(parameters, 1 + hidden, inputs, rows)
  for (let row = 0; row < count; row++) scores[row] = values[row]!
  const biases = (1 + hidden) * inputs
  for (let unit = 0; unit < hidden; unit++) {
    const bias = parameters[biases + unit]!
    const out = parameters[biases + hidden + unit]!
    const from = (1 + unit) * stride
    const to = unit * count
    for (let row = 0; row < count; row++) {
      const value = values[from + row]! + bias
      activations[to + row] = value > 0 ? value : 0
      if (value > 0) scores[row]! += out * value
    }
  }
}
