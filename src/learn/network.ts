/** A `Scorer` during training: its parameters in one array, and their gradient in another array of the same layout. */
import { type Shape, type Standard, scoreRows } from './forward-pass.ts'
import { addChosenRows, type Rows } from './products.ts'
import type { Random } from './random.ts'
import type { Scorer } from './scorer.ts'

export interface Network {
  readonly parameters: Float64Array
  /** The sum of all gradients since the last reset. The caller resets it to zero after each step. */
  readonly gradient: Float64Array
  /** Writes the rows' scores to the beginning of `scores`. */
  forward(rows: Rows, scores: Float64Array): void
  /**
   * Adds the gradient of a loss, given its derivative with respect to each score. Call `forward` with the same rows right
   * before.
   */
  backward(rows: Rows, scoreGradient: Float64Array): void
  /** Adds `l2` times every parameter, except biases, to the gradient. */
  decay(l2: number): void
}

/**
 * Draws random initial parameters. The linear path is 0. Weights of hidden units are uniform with variance 2 / inputs (He et
 * al., ICCV 2015). Their biases are uniform from −½ to ½: without biases, a unit would treat an input and its opposite alike.
 *
 * @param maxOut output weights are uniform up to this, divided by the root of the number of units; 0 gives every row the
 * score 0
 */
export function drawParameters({ inputs, hidden }: Shape, random: Random, maxOut: number): Float64Array {
  const biases = (1 + hidden) * inputs
  const outs = biases + hidden
  const uniform = (max: number): number => max * (2 * random.float() - 1)
  return new Float64Array(outs + hidden).map((_, index) => {
    if (index < inputs) return 0
    if (index < biases) return uniform(Math.sqrt(6 / inputs))
    return index < outs ? uniform(0.5) : uniform(maxOut / Math.sqrt(hidden))
  })
}

/** @param maxRows the largest number of rows in a pass */
export function createNetwork(shape: Shape, parameters: Float64Array, maxRows: number): Network {
  const { inputs, hidden } = shape
  const gradient = new Float64Array(parameters.length)
  const activations = new Float64Array(hidden * maxRows)
  const biases = (1 + hidden) * inputs
  const outs = biases + hidden

  /** The rows for which a hidden unit is on. Also adds the gradients of its bias and its output weight. */
  function chooseActive(
    unit: number,
    rows: number,
    scoreGradient: Float64Array,
    chosen: Int32Array,
    factors: Float64Array,
  ): number {
    const start = unit * rows
    const out = parameters[outs + unit]!
    let count = 0
    let [outGradient, biasGradient] = [0, 0]
    for (let row = 0; row < rows; row++) {
      const activation = activations[start + row]!
      const unitGradient = activation === 0 ? 0 : scoreGradient[row]! * out
      outGradient += scoreGradient[row]! * activation
      biasGradient += unitGradient
      // Written for every row, and overwritten unless the unit is on: cheaper than a branch that cannot be predicted.
      chosen[count] = row
      factors[count] = unitGradient
      count += activation === 0 ? 0 : 1
    }
    gradient[outs + unit]! += outGradient
    gradient[biases + unit]! += biasGradient
    return count
  }

  return {
    parameters,
    gradient,
    forward: (rows, scores) => scoreRows(parameters, shape, rows, activations, scores),

    backward(rows, scoreGradient) {
      addChosenRows(gradient, 1 + hidden, inputs, rows, (place, chosen, factors) =>
        place === 0
          ? chooseAll(rows.count, scoreGradient, chosen, factors)
          : chooseActive(place - 1, rows.count, scoreGradient, chosen, factors),
      )
    },

    decay(l2) {
      for (let index = 0; index < biases; index++) gradient[index]! += l2 * parameters[index]!
      for (let index = outs; index < outs + hidden; index++) gradient[index]! += l2 * parameters[index]!
    },
  }
}

/** The linear path counts for every row. */
function chooseAll(
  rows: number,
  scoreGradient: Float64Array,
  chosen: Int32Array,
  factors: Float64Array,
): number {
  for (let row = 0; row < rows; row++) {
    chosen[row] = row
    factors[row] = scoreGradient[row]!
  }
  return rows
}

/** Rounds to 4 significant digits: enough to preserve every order, few enough for small files that are equal on all machines. */
export const rounded = (value: number, digits = 4): number => Number(value.toPrecision(digits)) + 0

/** Makes a scorer of these parameters, rounded to 4 significant digits; to 3 the weights of hidden units, which are most of a file. */
export function toScorer(
  inputs: readonly string[],
  { mean, deviation }: Standard,
  hidden: number,
  parameters: Float64Array,
): Scorer {
  const width = inputs.length
  const row = (index: number, digits: number): number[] =>
    Array.from(parameters.subarray(index * width, (index + 1) * width), (value) => rounded(value, digits))
  const biases = (1 + hidden) * width
  return {
    inputs: [...inputs],
    mean: Array.from(mean),
    deviation: Array.from(deviation),
    skip: row(0, 4),
    hidden: Array.from({ length: hidden }, (_, unit) => ({
      bias: rounded(parameters[biases + unit]!),
      weights: row(1 + unit, 3),
      out: rounded(parameters[biases + hidden + unit]!),
    })),
  }
}
