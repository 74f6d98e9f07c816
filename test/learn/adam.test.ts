import { expect, it } from 'vitest'
import { createAdam } from '../../src/learn/adam.ts'

it('follows algorithm 1 of the paper', () => {
  const adam = createAdam(2)
  const parameters = Float64Array.of(1, 1)
  // First step: both moments over their bias are g and g², so the step is the rate times the sign.
  adam.step(parameters, Float64Array.of(2, -0.5), 0.1)
  expect(parameters[0]).toBeCloseTo(0.9, 8)
  expect(parameters[1]).toBeCloseTo(1.1, 7)
  // Second, g = 0: m = .9 · .1 · 2 = .18 over 1 − .81; v = .999 · .001 · 4 = .003996 over 1 − .998001.
  adam.step(parameters, Float64Array.of(0, 0), 0.1)
  expect(parameters[0]).toBeCloseTo(0.9 - (0.1 * (0.18 / 0.19)) / Math.sqrt(0.003996 / 0.001999), 8)
})
