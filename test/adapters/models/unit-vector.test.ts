import fc from 'fast-check'
import { expect, it } from 'vitest'
import { unitVector } from '../../../adapters/models/unit-vector.ts'
import { expectError } from '../../support/expect-error.ts'

it('scales to length 1', () => {
  // 3² + 4² = 5²
  expect([...unitVector([3, 0, -4])]).toEqual([Math.fround(0.6), 0, Math.fround(-0.8)])
})

it('scales whatever has a direction, and leaves its argument as it is', () => {
  const value = fc
    .double({ min: -1e100, max: 1e100, noNaN: true })
    .filter((x) => x === 0 || Math.abs(x) > 1e-100)
  fc.assert(
    fc.property(
      fc.array(value, { minLength: 1 }).filter((values) => values.some(Boolean)),
      (values) => {
        const before = [...values]
        expect(Math.hypot(...unitVector(values))).toBeCloseTo(1, 6)
        expect(values).toEqual(before)
      },
    ),
  )
})

it.each([[[0, 0]], [[1, Number.NaN]], [[Infinity, 1]], [[]]])('refuses %j, which has none', (values) => {
  expectError(() => unitVector(values), 'embed-failed')
})
