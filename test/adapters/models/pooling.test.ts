import { expect, it } from 'vitest'
import { type Pooling, pool } from '../../../adapters/models/pooling.ts'

// Two texts of 2 dimensions: three tokens, and one token with two of padding.
const states = Float32Array.of(1, 10, 2, 20, 6, 60, 7, 70, 99, 99, 99, 99)
const shape = { longest: 3, dimensions: 2 }

it.each<[Pooling, number[], number[]]>([
  // (1 + 2 + 6) / 3 = 3; padding does not count.
  ['mean', [3, 30], [7, 70]],
  ['cls', [1, 10], [7, 70]],
  ['lasttoken', [6, 60], [7, 70]],
])('pools by %s', (pooling, first, second) => {
  expect([...pool(states, { ...shape, text: 0, tokens: 3 }, pooling)]).toEqual(first)
  expect([...pool(states, { ...shape, text: 1, tokens: 1 }, pooling)]).toEqual(second)
})
