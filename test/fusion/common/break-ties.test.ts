import { expect, it } from 'vitest'
import { breakTies } from '../../../fusion/common/break-ties.ts'

it('breakTies sorts runs of close neighbors, and nothing else', () => {
  const scores = [5, 4.05, 4, 3.95, 1]
  const order = [0, 1, 2, 3, 4]
  breakTies(order, scores, 0.1, (a, b) => b - a)
  expect(order).toEqual([0, 3, 2, 1, 4])
})
