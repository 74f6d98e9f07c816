import { describe, expect, it } from 'vitest'
import type { ChoiceEpoch } from '../../../policies/local/training/choice-epoch.ts'
import { describeCurve, showTraining } from '../../../src/cli/output/training-progress.ts'
import { testTerminal } from '../../support/test-terminal.ts'

const epoch = (stage: 1 | 2, number: number, meanReward: number, expectedSize: number): ChoiceEpoch => ({
  stage,
  epoch: number,
  meanReward,
  expectedSize,
  zeroVariance: 0,
  entropy: 1,
})

describe('showTraining', () => {
  it('tells phases, and of the decision what it earns', () => {
    let ms = 0
    const terminal = testTerminal()
    const training = showTraining(terminal, () => ms)
    for (let done = 0; done <= 12; done++, ms += 1000)
      training.update({ phase: 'candidates', done: 10 * done, total: 120 })
    // After one epoch of Stage I come 20 of Stage II.
    for (let number = 1; number <= 3; number++, ms += 10_000)
      training.update({
        phase: 'decision',
        epoch: epoch(2, number, 1 + number / 10, 2.5),
        policy: 1,
        policies: 3,
        done: 1 + number,
        total: 21,
      })
    training.stop()
    expect(terminal.errors()).toBe(
      'searching the candidates: 100 of 120, 10/s, 2.0 s left\n' +
        'learning to decide: 3 of 21, 0.3/s, 1 min 0 s left  policy 1 of 3, stage 2, reward 1.200, 2.5 sub-queries\n' +
        'learning to decide: 4 of 21, 0.2/s, 1 min 25 s left  policy 1 of 3, stage 2, reward 1.300, 2.5 sub-queries\n',
    )
  })
})

describe('describeCurve', () => {
  it('tells Stage II from its first value to its last', () => {
    expect(
      describeCurve([epoch(1, 1, 5, 9), epoch(2, 1, 1, 3), epoch(2, 2, 1.5, 2), epoch(2, 3, 2, 2)]),
    ).toEqual([expect.stringContaining('1.000 → 2.000'), expect.stringContaining('3.00 → 2.00')])
  })

  it('says nothing where nothing was trained', () => expect(describeCurve([])).toEqual([]))
})
