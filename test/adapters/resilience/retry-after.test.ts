import { describe, expect, it, vi } from 'vitest'
import { retryAfterOf } from '../../../adapters/resilience/retry-after.ts'
import { fakeTime } from './backend.ts'

const withHeader = (value: unknown) => ({ headers: { 'retry-after': value } })

describe('retry-after', () => {
  fakeTime()

  it.each([
    ['2', 2000],
    [' 0 ', 0],
    ['0.5', 500],
    [3, 3000],
    [['7'], 7000],
  ])('%j: %i ms', (value, ms) => expect(retryAfterOf(withHeader(value))).toBe(ms))

  it('can be a date, in the two forms that still occur; a past date is 0', () => {
    vi.setSystemTime(new Date('2031-05-04T10:00:00.250Z'))
    expect(retryAfterOf(withHeader('Sun, 04 May 2031 10:00:03 GMT'))).toBe(2750)
    expect(retryAfterOf(withHeader('Sunday, 04-May-31 10:00:03 GMT'))).toBe(2750)
    expect(retryAfterOf(withHeader('Sun, 04 May 2031 09:00:00 GMT'))).toBe(0)
  })

  it.each(['', '-5', 'soon', '1e3', 'NaN', 'Infinity', 'May 4', 'Sun, the 4th GMT', null, {}, []])(
    'says nothing where it is %j',
    (value) => expect(retryAfterOf(withHeader(value))).toBeUndefined(),
  )

  it('is read from `headers` or `meta.headers`, in any case, from an object or Headers', () => {
    for (const headers of [
      { 'retry-after': '1' },
      { 'Retry-After': '1' },
      new Headers({ 'Retry-After': '1' }),
    ]) {
      expect(retryAfterOf({ headers })).toBe(1000)
      expect(retryAfterOf({ meta: { headers } })).toBe(1000)
      expect(retryAfterOf({ headers: {}, meta: { headers } })).toBe(1000)
    }
  })

  it.each([
    undefined,
    null,
    'error',
    7,
    new Error('x'),
    { headers: null },
    { headers: 'retry-after: 1' },
    { meta: 1 },
  ])('is absent of %j', (error) => expect(retryAfterOf(error)).toBeUndefined())
})
