/** The arithmetic that scoring and training share: it turns features into standardized rows, and rows into scores. */

/** The inputs of the items to be scored: rows × inputs, row by row. */
export type Features = Float32Array | Float64Array

/** Standardized inputs are clipped to ± this many standard deviations, so that no outlier dominates the score. */
const maxDeviations = 5

/** Parameters of the standardization: `mean` and `deviation` of a `Scorer`. */
export interface Standard {
  readonly mean: readonly number[]
  readonly deviation: readonly number[]
}

/** The sizes of a network. */
export interface Shape {
  readonly inputs: number
  readonly hidden: number
}

/** Consecutive rows of a table of standardized features. */
export interface Rows {
  readonly table: Float32Array
  /** Index of the first row. */
  readonly first: number
  readonly count: number
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
 * The forward pass. It fills `scores`, and `activations` unit by unit: the linear path (unit 0), then the outputs of the
 * hidden units, one per row.
 *
 * @param parameters the linear path, the weights unit by unit, all biases, all output weights
 * @param activations at least rows × (1 + hidden)
 */
export function scoreRows(
  parameters: Float64Array,
  { inputs, hidden }: Shape,
  rows: Rows,
  activations: Float64Array,
  scores: Float64Array,
): void {
  if (hidden === 0) multiply(parameters, 0, inputs, rows, activations, 0)
  for (let unit = 0; hidden > 0 && unit <= hidden; unit += 2) {
    // Of an odd number of units, the last two overlap those before: the same numbers are written twice.
    const first = Math.min(unit, hidden - 1)
    multiplyTwo(parameters, first * inputs, inputs, rows, activations, first * rows.count)
  }
  const { count } = rows
  for (let row = 0; row < count; row++) scores[row] = activations[row]!
  const biases = (1 + hidden) * inputs
  for (let unit = 0; unit < hidden; unit++) {
    const bias = parameters[biases + unit]!
    const out = parameters[biases + hidden + unit]!
    const start = (1 + unit) * count
    for (let row = 0; row < count; row++) {
      const value = activations[start + row]! + bias
      activations[start + row] = value > 0 ? value : 0
      if (value > 0) scores[row]! += out * value
    }
  }
}

/**
 * Multiplies the weights of two units with every row, two units by four rows at a time: each number that is read takes part in
 * more than one product. Every sum has the order of `multiply`, so that both give the same bits.
 */
function multiplyTwo(
  weights: Float64Array,
  at: number,
  inputs: number,
  rows: Rows,
  into: Float64Array,
  intoAt: number,
): void {
  const { table, first, count } = rows
  const nextAt = at + inputs
  let row = 0
  for (; row + 3 < count; row += 4) {
    const a = (first + row) * inputs
    const b = a + inputs
    const c = b + inputs
    const d = c + inputs
    let [sumA, sumB, sumC, sumD] = [0, 0, 0, 0]
    let [nextA, nextB, nextC, nextD] = [0, 0, 0, 0]
    for (let input = 0; input < inputs; input++) {
      const weight = weights[at + input]!
      const next = weights[nextAt + input]!
      const valueA = table[a + input]!
      const valueB = table[b + input]!
      const valueC = table[c + input]!
      const valueD = table[d + input]!
      sumA += weight * valueA
      sumB += weight * valueB
      sumC += weight * valueC
      sumD += weight * valueD
      nextA += next * valueA
      nextB += next * valueB
      nextC += next * valueC
      nextD += next * valueD
    }
    const place = intoAt + row
    into[place] = sumA
    into[place + 1] = sumB
    into[place + 2] = sumC
    into[place + 3] = sumD
    into[place + count] = nextA
    into[place + count + 1] = nextB
    into[place + count + 2] = nextC
    into[place + count + 3] = nextD
  }
  multiply(weights, at, inputs, rows, into, intoAt, row)
  multiply(weights, nextAt, inputs, rows, into, intoAt + count, row)
}

/** Multiplies one unit's weights with the rows from `from` on. */
function multiply(
  weights: Float64Array,
  at: number,
  inputs: number,
  { table, first, count }: Rows,
  into: Float64Array,
  intoAt: number,
  from = 0,
): void {
  for (let row = from; row < count; row++) {
    const start = (first + row) * inputs
    let sum = 0
    for (let input = 0; input < inputs; input++) sum += weights[at + input]! * table[start + input]!
    into[intoAt + row] = sum
  }
}
