import { array, assert, constantFrom, property } from 'fast-check'
import { expect, it } from 'vitest'
import { listChange } from '../src/shadow-search.ts'

it.each([
  ['the same list', 'ab', 'ab', { overlap: 1, displacement: 0, in: [], out: [] }],
  ['nothing and nothing', '', '', { overlap: 1, displacement: 0, in: [], out: [] }],
  // |1−3| + |2−3| + |3−1| + |3−2| = 6, and 6 / (2 · 3) = 1.
  ['no common hit', 'ab', 'cd', { overlap: 0, displacement: 1, in: ['c', 'd'], out: ['a', 'b'] }],
  ['a swap', 'ab', 'ba', { overlap: 1, displacement: 2 / 6, in: [], out: [] }],
  // a: 1 → 2, b: 2 → 4, c: 3 → 3, d: 4 → 1 of k = 3, whose maximum is 12.
  [
    'one in, one out',
    'abc',
    'dac',
    { overlap: 2 / 3, displacement: (1 + 2 + 0 + 3) / 12, in: ['d'], out: ['b'] },
  ],
  ['a hit where there was none', '', 'a', { overlap: 0, displacement: 1 / 2, in: ['a'], out: [] }],
])('%s', (_, before, after, change) => expect(listChange([...before], [...after])).toEqual(change))

it('lies between 0 and 1, is 0 for the same list alone, and the same in both directions', () => {
  const list = array(constantFrom(...'abcdefgh'), { maxLength: 10 }).map((all) => [...new Set(all)])
  assert(
    property(list, list, (before, after) => {
      const { overlap, displacement } = listChange(before, after)
      expect(displacement).toBeGreaterThanOrEqual(0)
      expect(displacement).toBeLessThanOrEqual(1)
      expect(displacement === 0).toBe(before.join() === after.join())
      expect(listChange(after, before)).toMatchObject({ overlap, displacement })
    }),
  )
})
