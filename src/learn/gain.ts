/**
 * Learns to predict a gain so that one decision is right: "take it if the gain is above the cost". The loss is the utility of that
 * decision, softened, and a little of the distance between prediction and gain. Squared error alone would spend the network on how
 * large a large gain is, which changes no decision; utility alone has no slope where the network has once made up its mind.
 */
import { sigmoid } from '../sigmoid.ts'
import { checkOption } from './check-option.ts'
import { fitRows, type RowsOptions, type WeightedRow } from './fit-rows.ts'
import type { Scorer } from './scorer.ts'

/** One decision. */
export interface GainExample extends WeightedRow {
  /** What taking it gained, less the cost; below 0 if it was not worth the cost. */
  readonly surplus: number
}

/** The size of a typical surplus. */
const unit = 0.1

/** The distance from 0 within which a decision is only partly taken. */
const softness = 0.01

/** The weight of the distance between prediction and surplus (Huber's loss), and the distance from which it grows linearly. */
const pull = 0.2
const far = 0.1

/**
 * Fits a scorer that predicts the surplus: −surplus · σ(predicted / 0.01) + 0.2 · Huber(predicted − surplus). The same examples,
 * options and seed give the same scorer.
 *
 * @throws QuerentError as `fitRows`
 */
export async function fitGain(examples: readonly GainExample[], options: RowsOptions): Promise<Scorer> {
  for (const { surplus } of examples) checkOption('surplus', surplus, Number.isFinite(surplus), 'a number')
  return fitRows(
    examples,
    ({ surplus }, predicted) => {
      const taken = sigmoid(predicted / softness)
      const distance = Math.max(-far, Math.min(far, predicted - surplus))
      return (-surplus * taken * (1 - taken)) / softness + pull * distance
    },
    { learningRate: 0.006, l2: 1e-3, ...options },
    unit,
  )
}
