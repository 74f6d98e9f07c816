/** Trains the decision, and looks at the policy after each epoch. */
import type { Scorer } from '../../src/learn/scorer.ts'
import type { ChoiceTable } from './choice-table.ts'
import { type Seconds, timed } from './seconds.ts'
import { type Standing, standingOn, type TrainingSettings, trainOn } from './trained-choice.ts'

/** One epoch of the decision's training, with how the policy stood after it. Epoch 0 is before training. */
export interface CurvePoint {
  readonly stage: 1 | 2
  /** From 0, on through both stages. */
  readonly epoch: number
  readonly training: Standing
  readonly heldOut: Standing
  /** The share of the epoch's queries that taught nothing. */
  readonly zeroVariance?: number
  /** In nats. */
  readonly entropy?: number
}

/**
 * @param held queries that are not trained on
 * @param seconds the training is added to `decision`
 * @throws QuerentError `aborted`
 */
export async function trainWithCurve(
  training: readonly ChoiceTable[],
  held: readonly ChoiceTable[],
  settings: TrainingSettings,
  seconds: Seconds,
): Promise<{ readonly scorer: Scorer; readonly curve: readonly CurvePoint[] }> {
  const curve: CurvePoint[] = [
    { stage: 1, epoch: 0, training: standingOn(training, undefined), heldOut: standingOn(held, undefined) },
  ]
  const { scorer } = await timed(seconds, 'decision', () =>
    trainOn(training, {
      ...settings,
      onEpoch(current, { stage, zeroVariance, entropy }) {
        const start = performance.now()
        curve.push({
          stage,
          epoch: curve.length,
          training: standingOn(training, current),
          heldOut: standingOn(held, current),
          zeroVariance,
          entropy,
        })
        // Looking at a policy is no part of training it.
        seconds.decision -= (performance.now() - start) / 1000
      },
    }),
  )
  return { scorer, curve }
}
