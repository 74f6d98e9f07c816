import { expect, it } from 'vitest'
import { standardizeParts } from '../../src/learn/standardized-rows.ts'
import { expectError } from '../support/expect-error.ts'

it('standardizes by the mean and deviation of the used rows', () => {
  const parts = [
    { features: Float32Array.of(1, 5, 99, 5), rows: Int32Array.of(0) },
    { features: Float32Array.of(0, 0, 3, 5, 8, 5), rows: Int32Array.of(1, 2) },
  ]
  // First input: 1, 3 and 8, mean 4, squares 9 + 1 + 16. Second: 5 throughout.
  const { mean, deviation, tables } = standardizeParts(parts, ['a', 'b'])
  expect(mean).toEqual([4, 5])
  expect(deviation).toEqual([2.944, 1])
  expect(tables.map(({ first, count }) => [first, count])).toEqual([
    [0, 1],
    [1, 2],
  ])
  const expected = [-3 / 2.944, 0, -1 / 2.944, 0, 4 / 2.944, 0].map(Math.fround)
  expect([...tables[0]!.table]).toEqual(expected)
})

it('treats an input as constant if only rounding changes it', () => {
  const features = Float32Array.of(1000, 1000.0001, 1000, 1000.0001)
  expect(standardizeParts([{ features, rows: Int32Array.of(0, 1, 2, 3) }], ['a']).deviation).toEqual([1])
})

it('rejects a feature that is not a finite number, and names its place', () => {
  const part = { features: Float32Array.of(1, 2, 3, Number.NaN), rows: Int32Array.of(0, 1) }
  expectError(() => standardizeParts([part, part], ['a', 'b']), 'bad-config', 'Problem 0, row 1: b is NaN')
})
