import { describe, expect, it } from 'vitest'
import { createIntSet } from '../../src/text/int-set.ts'

describe('createIntSet', () => {
  it('holds what was added since it was cleared', () => {
    const set = createIntSet()
    expect(set.has(3)).toBe(false)
    expect([set.add(3), set.add(3), set.add(100_000)]).toEqual([true, false, true])
    expect([3, 4, 100_000].map(set.has)).toEqual([true, false, true])
    set.clear()
    expect([3, 100_000].map(set.has)).toEqual([false, false])
    set.reset([5, 7])
    expect([3, 5, 7].map(set.has)).toEqual([false, true, true])
  })

  it('goes on when it has been cleared as often as marks can tell apart', () => {
    const set = createIntSet(2)
    for (let round = 0; round < 5; round++) {
      expect(set.add(round)).toBe(true)
      expect([0, 1, 2, 3, 4].filter(set.has)).toEqual([round])
      set.clear()
    }
  })
})
