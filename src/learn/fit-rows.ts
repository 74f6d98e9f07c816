/** Trains a small network on single rows with Adam, for a loss that depends on the row's score alone. */
import { QuerentError } from '../errors.ts'
import { checkFitOptions, type FitOptions, fitNetwork } from './fit-network.ts'
import { createNetwork, drawParameters, toScorer } from './network.ts'
import { createRandom } from './random.ts'
import type { Scorer } from './scorer.ts'
import { standardizeParts } from './standardized-rows.ts'
import { mean } from './statistics.ts'

/** A row to learn from. */
export interface WeightedRow {
  /** One number per input. */
  readonly row: Float32Array
  /** How much the row counts, above 0. Only the proportions matter. */
  readonly weight: number
}

export interface RowsOptions {
  /** The names of the features, in the order of a row. */
  readonly inputs: readonly string[]
  /** ReLU units beside the linear path. Default: 24. */
  readonly hidden?: number
  /** Default: 15, or more if the rows are so few that there would be fewer than 600 steps. */
  readonly epochs?: number
  /** Rows per step. Default: 64. */
  readonly batch?: number
  /** Learning rate of the first step; it decreases linearly to 0. Default: 0.003. */
  readonly learningRate?: number
  /** Weight decay: adds this factor times each weight, except biases, to the gradient. Default: 1e-4. */
  readonly l2?: number
  /** Determines the initial weights and the order of the rows. */
  readonly seed: number
  readonly signal?: AbortSignal | undefined
}

const defaultEpochs = 15
const leastSteps = 600

/**
 * Fits a scorer. The same rows, loss, options and seed give the same scorer, rounded to 3 or 4 significant digits.
 *
 * @param slopeOf the derivative of a row's loss with respect to its score
 * @param unit the scorer's scores are the network's output times this. Give the size of a typical score. Default: 1
 * @throws QuerentError `bad-config` for options out of range, no rows, or features that are not finite; `aborted`
 */
export async function fitRows<Row extends WeightedRow>(
  examples: readonly Row[],
  slopeOf: (example: Row, score: number) => number,
  {
    inputs,
    hidden = 24,
    batch = 64,
    epochs = Math.max(defaultEpochs, Math.ceil(leastSteps / Math.ceil(examples.length / batch))),
    learningRate = 0.003,
    l2 = 1e-4,
    seed,
    signal,
  }: RowsOptions,
  unit = 1,
): Promise<Scorer> {
  // First, since the default number of epochs depends on it.
  if (examples.length === 0)
    throw new QuerentError('bad-config', 'There are no rows to learn from', { remedy: 'Give some.' })
  const options: FitOptions = { hidden, epochs, batch, learningRate, l2 }
  checkFitOptions(options)
  const random = createRandom(seed)
  const only = Int32Array.of(0)
  const { tables, ...standard } = standardizeParts(
    examples.map(({ row }) => ({ features: row, rows: only })),
    inputs,
  )
  const { table } = tables[0]!
  const width = inputs.length
  const shape = { inputs: width, hidden }
  const network = createNetwork(shape, drawParameters(shape, random, 0), batch)
  const { parameters } = network
  const meanWeight = mean(examples.map(({ weight }) => weight))
  const drawn = new Float32Array(batch * width)
  const scores = new Float64Array(batch)
  const slopes = new Float64Array(batch)

  function addGradient(chosen: Int32Array): void {
    chosen.forEach((index, place) => {
      drawn.set(table.subarray(index * width, (index + 1) * width), place * width)
    })
    const rows = { table: drawn, first: 0, count: chosen.length }
    network.forward(rows, scores)
    chosen.forEach((index, place) => {
      const example = examples[index]!
      const slope = unit * slopeOf(example, unit * scores[place]!)
      slopes[place] = (slope * example.weight) / meanWeight / chosen.length
    })
    network.backward(rows, slopes)
  }
  await fitNetwork(network, examples.length, addGradient, options, random, signal)
  const outs = parameters.length - hidden
  return toScorer(
    inputs,
    standard,
    hidden,
    parameters.map((value, index) => (index < width || index >= outs ? unit * value : value)),
  )
}
