/** A `Scorer` that can still be changed: its parameters in one array, and their gradient in another of the same layout. */
import { type Rows, type Shape, type Standard, scoreRows } from './forward-pass.ts'
import type { Random } from './random.ts'
import type { Scorer } from './scorer.ts'

export interface Network {
  readonly parameters: Float64Array
  /** What `backward` has added up; whoever takes a step sets it to zero. */
  readonly gradient: Float64Array
  /** Scores of the rows, the first ones of `scores`. */
  forward(rows: Rows, scores: Float64Array): void
  /** Adds the gradient of what has these slopes by the scores. `forward` of the same rows comes right before it. */
  backward(rows: Rows, slopes: Float64Array): void
  /** Adds `l2` times every parameter but the biases to the gradient. */
  decay(l2: number): void
}

/**
 * The parameters training begins with. The linear path is 0. Weights of hidden units are spread evenly with variance
 * 2 / inputs (He et al., ICCV 2015), biases from −½ to ½: units without bias see an input and its opposite as alike.
 *
 * @param widestOut Out-weights are spread evenly up to this, over the root of the number of units; 0 gives every row the score 0
 */
export function drawParameters({ inputs, hidden }: Shape, random: Random, widestOut: number): Float64Array {
  const biases = (1 + hidden) * inputs
  const outs = biases + hidden
  const spread = (widest: number): number => widest * (2 * random.float() - 1)
  return new Float64Array(outs + hidden).map((_, index) => {
    if (index < inputs) return 0
    if (index < biases) return spread(Math.sqrt(6 / inputs))
    return index < outs ? spread(0.5) : spread(widestOut / Math.sqrt(hidden))
  })
}

/** @param mostRows the most rows that a pass will have */
export function createNetwork(shape: Shape, parameters: Float64Array, mostRows: number): Network {
  const { inputs, hidden } = shape
  const gradient = new Float64Array(parameters.length)
  const activations = new Float64Array((1 + hidden) * mostRows)
  const everyRow = Int32Array.from({ length: mostRows }, (_, row) => row)
  const active = new Int32Array(mostRows)
  const slopesOfActive = new Float64Array(mostRows)
  const biases = (1 + hidden) * inputs
  const outs = biases + hidden

  return {
    parameters,
    gradient,
    forward: (rows, scores) => scoreRows(parameters, shape, rows, activations, scores),

    backward(rows, slopes) {
      addRows(rows, everyRow, slopes, rows.count, inputs, gradient, 0)
      for (let unit = 0; unit < hidden; unit++) {
        const start = (1 + unit) * rows.count
        const out = parameters[outs + unit]!
        let count = 0
        let [ofOut, ofBias] = [0, 0]
        for (let row = 0; row < rows.count; row++) {
          const activation = activations[start + row]!
          if (activation === 0) continue
          const slope = slopes[row]! * out
          ofOut += slopes[row]! * activation
          ofBias += slope
          active[count] = row
          slopesOfActive[count++] = slope
        }
        gradient[outs + unit]! += ofOut
        gradient[biases + unit]! += ofBias
        addRows(rows, active, slopesOfActive, count, inputs, gradient, (1 + unit) * inputs)
      }
    },

    decay(l2) {
      for (let index = 0; index < biases; index++) gradient[index]! += l2 * parameters[index]!
      for (let index = outs; index < outs + hidden; index++) gradient[index]! += l2 * parameters[index]!
    },
  }
}

/** Adds slope × row for each of the chosen rows, four at a time: each sum is then read and written once for four of them. */
function addRows(
  { table, first }: Rows,
  chosen: Int32Array,
  slopes: Float64Array,
  count: number,
  inputs: number,
  into: Float64Array,
  at: number,
): void {
  let index = 0
  for (; index + 3 < count; index += 4) {
    const a = (first + chosen[index]!) * inputs
    const b = (first + chosen[index + 1]!) * inputs
    const c = (first + chosen[index + 2]!) * inputs
    const d = (first + chosen[index + 3]!) * inputs
    const slopeA = slopes[index]!
    const slopeB = slopes[index + 1]!
    const slopeC = slopes[index + 2]!
    const slopeD = slopes[index + 3]!
    for (let input = 0; input < inputs; input++)
      into[at + input]! +=
        slopeA * table[a + input]! +
        slopeB * table[b + input]! +
        slopeC * table[c + input]! +
        slopeD * table[d + input]!
  }
  for (; index < count; index++) {
    const a = (first + chosen[index]!) * inputs
    const slope = slopes[index]!
    for (let input = 0; input < inputs; input++) into[at + input]! += slope * table[a + input]!
  }
}

/** Enough that no order changes, few enough that files stay small and read the same everywhere. */
export const rounded = (value: number): number => Number(value.toPrecision(6)) + 0

/** The scorer with these parameters, rounded to 6 significant digits. */
export function toScorer(
  inputs: readonly string[],
  { mean, deviation }: Standard,
  hidden: number,
  parameters: Float64Array,
): Scorer {
  const width = inputs.length
  const row = (index: number): number[] =>
    Array.from(parameters.subarray(index * width, (index + 1) * width), rounded)
  const biases = (1 + hidden) * width
  return {
    inputs: [...inputs],
    mean: [...mean],
    deviation: [...deviation],
    skip: row(0),
    hidden: Array.from({ length: hidden }, (_, unit) => ({
      bias: rounded(parameters[biases + unit]!),
      weights: row(1 + unit),
      out: rounded(parameters[biases + hidden + unit]!),
    })),
  }
}
