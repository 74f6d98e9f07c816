import { expect, it } from 'vitest'
import { showTraining } from '../../../src/cli/output/training-progress.ts'
import { testTerminal } from '../../support/test-terminal.ts'

it('tells each phase, how far it is, and how long it takes', () => {
  let ms = 0
  const terminal = testTerminal()
  const training = showTraining(terminal, () => ms)
  for (let done = 0; done <= 12; done++, ms += 1000)
    training.update({ phase: 'plans', done: 10 * done, total: 120 })
  for (let done = 1; done <= 3; done++, ms += 10_000) training.update({ phase: 'gains', done, total: 3 })
  training.stop()
  expect(terminal.errors()).toBe(
    'searching the plans: 100 of 120, 10/s, 2.0 s left\n' +
      'learning what plans gain: 2 of 3, 0.2/s, 5.0 s left\n' +
      'learning what plans gain: 3 of 3, 0.1/s, 0.0 ms left\n',
  )
})
