/** The loop that all fits of a network have: Adam steps on batches, in a new random order for each epoch. */
import { yieldAt } from '../runtime/yield.ts'
import { createAdam } from './adam.ts'
import { checkOption } from './check-option.ts'
import type { Network } from './network.ts'
import { permutation, type Random } from './random.ts'

export interface FitOptions {
  /** ReLU units beside the linear path. */
  readonly hidden: number
  readonly epochs: number
  /** Examples per step. */
  readonly batch: number
  /** Learning rate of the first step; it decreases linearly to 0. */
  readonly learningRate: number
  /** Weight decay: adds this factor times each weight, except biases, to the gradient. */
  readonly l2: number
}

/** @throws QuerentError `bad-config` with the first option that is out of range */
export function checkFitOptions({ hidden, epochs, batch, learningRate, l2 }: FitOptions): void {
  checkOption('hidden', hidden, Number.isInteger(hidden) && hidden >= 0, 'a whole number, 0 or more')
  checkOption('epochs', epochs, Number.isInteger(epochs) && epochs >= 1, 'a whole number, 1 or more')
  checkOption('batch', batch, Number.isInteger(batch) && batch >= 1, 'a whole number, 1 or more')
  checkOption('learningRate', learningRate, learningRate > 0, 'above 0')
  checkOption('l2', l2, l2 >= 0, '0 or more')
}

/**
 * Trains the network.
 *
 * @param addGradient adds the gradient of the mean loss of these examples
 * @throws QuerentError `aborted`
 */
export async function fitNetwork(
  { parameters, gradient, decay }: Network,
  examples: number,
  addGradient: (chosen: Int32Array) => void,
  { epochs, batch, learningRate, l2 }: FitOptions,
  random: Random,
  signal: AbortSignal | undefined,
): Promise<void> {
  const adam = createAdam(parameters.length)
  const steps = epochs * Math.ceil(examples / batch)
  let step = 0
  for (let epoch = 0; epoch < epochs; epoch++) {
    const order = permutation(examples, random)
    for (let start = 0; start < order.length; start += batch) {
      await yieldAt(step, signal)
      gradient.fill(0)
      addGradient(order.subarray(start, start + batch))
      decay(l2)
      adam.step(parameters, gradient, learningRate * (1 - step / steps))
      step++
    }
  }
}
