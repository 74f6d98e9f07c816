import { describe, expect, it } from 'vitest'
import { createRandom, permutation } from '../../src/learn/random.ts'

describe('createRandom', () => {
  // From sfc32 with unbounded integers (Python): a, b, c, counter = 0, seed mod 2^32, seed div 2^32, 1; 12 skipped.
  it.each([
    [1, [2012149540, 1872316204, 1707632675, 1779833415]],
    [2 ** 40 + 7, [1614752920, 2544231158, 2841167337, 645591171]],
  ])('is sfc32 for seed %d', (seed, expected) => {
    const random = createRandom(seed)
    expect(expected.map(() => random.uint32())).toEqual(expected)
  })

  it('is uniform', () => {
    const random = createRandom(3)
    const counts = [0, 0, 0, 0, 0]
    for (let draw = 0; draw < 50_000; draw++) counts[random.integer(5)]!++
    // Mean 10,000 and standard deviation 89 each.
    for (const count of counts) expect(Math.abs(count - 10_000)).toBeLessThan(5 * 89)
    const floats = Array.from({ length: 1000 }, () => random.float())
    expect(Math.min(...floats)).toBeGreaterThanOrEqual(0)
    expect(Math.max(...floats)).toBeLessThan(1)
  })
})

describe('permutation', () => {
  it('returns every order equally often', () => {
    const random = createRandom(5)
    const counts = new Map<string, number>()
    for (let draw = 0; draw < 6_000; draw++) {
      const order = permutation(3, random).join('')
      counts.set(order, (counts.get(order) ?? 0) + 1)
    }
    expect([...counts.keys()].sort()).toEqual(['012', '021', '102', '120', '201', '210'])
    // Mean 1,000 and standard deviation 29 each.
    for (const count of counts.values()) expect(Math.abs(count - 1_000)).toBeLessThan(5 * 29)
  })

  it('may be empty', () => expect(permutation(0, createRandom(1))).toHaveLength(0))
})
