import fc from 'fast-check'
import { expect, it } from 'vitest'
import { meeting } from '../../../adapters/search/metadata-filter.ts'

it('bounds of numbers hold for numbers within them, and for nothing else', () => {
  const number = fc.integer({ min: -3, max: 3 })
  const bound = fc.option(number, { nil: undefined })
  const found = fc.oneof(number, fc.constantFrom('1', true, undefined, null, Number.NaN))
  fc.assert(
    fc.property(fc.record({ gt: bound, gte: bound, lt: bound, lte: bound }), found, (range, value) => {
      fc.pre(Object.values(range).some((one) => one !== undefined))
      const { gt, gte, lt, lte } = range
      const isWithin =
        typeof value === 'number' &&
        !Number.isNaN(value) &&
        !(gt !== undefined && value <= gt) &&
        !(gte !== undefined && value < gte) &&
        !(lt !== undefined && value >= lt) &&
        !(lte !== undefined && value > lte)
      expect(meeting(range)(value)).toBe(isWithin)
    }),
  )
})
