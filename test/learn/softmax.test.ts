import { expect, it } from 'vitest'
import { softmax } from '../../src/learn/softmax.ts'

it('is proportional to e^score', () => {
  // 1 : 3 of 4.
  const [one, three] = softmax(Float64Array.of(0, Math.log(3)))
  expect(one).toBeCloseTo(0.25, 15)
  expect(three).toBeCloseTo(0.75, 15)
})

it('does not overflow', () => {
  expect([...softmax(Float64Array.of(5000, 5000, -5000))]).toEqual([0.5, 0.5, 0])
})

it('reads only the first scores, and can write over them', () => {
  const scores = Float64Array.of(2, 2, 9)
  expect(softmax(scores, 2, scores)).toBe(scores)
  expect([...scores]).toEqual([0.5, 0.5, 9])
})
