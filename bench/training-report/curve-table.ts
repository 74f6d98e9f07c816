/** The learning curve as a table: what the policy earns and how many sub-queries it takes, epoch by epoch. */
import { percent } from '../../src/evaluation/report/words.ts'
import type { CurveEpoch, Spread } from '../experiments/experiments.ts'
import type { Table } from './table.ts'

export function curveTable(curve: readonly CurveEpoch[]): Table {
  const spread = ({ mean, deviation }: Spread, digits: number): string =>
    `${mean.toFixed(digits)} ± ${deviation.toFixed(digits)}`
  return {
    title: 'Epoch by epoch',
    head: [
      'Epoch',
      'Stage',
      'Training: reward drawn',
      'taken',
      'Held out: reward drawn',
      'taken',
      'Sub-queries drawn',
      'taken',
      'Groups without variance',
      'Entropy',
    ],
    groups: [
      {
        rows: curve.map(({ epoch, stage, training, heldOut, zeroVariance, entropy }) => [
          String(epoch),
          epoch === 0 ? '–' : stage === 1 ? 'I' : 'II',
          spread(training.drawn, 3),
          spread(training.taken, 3),
          spread(heldOut.drawn, 3),
          spread(heldOut.taken, 3),
          spread(heldOut.subQueriesDrawn, 2),
          spread(heldOut.subQueriesTaken, 2),
          zeroVariance === undefined ? '–' : percent(zeroVariance),
          entropy === undefined ? '–' : entropy.toFixed(2),
        ]),
      },
    ],
  }
}
