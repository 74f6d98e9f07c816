import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { foldsOf } from '../../src/learn/folds.ts'

const keys = fc.array(
  fc.uniqueArray(
    fc.integer({ min: 0, max: 30 }).map((key) => `k${key}`),
    { maxLength: 3 },
  ),
  { minLength: 1, maxLength: 40 },
)

/** The size of the largest connected set of examples, found by walking from one to the next. */
function largestGroup(all: readonly (readonly string[])[]): number {
  const left = new Set(all.keys())
  let largest = 0
  for (const start of all.keys()) {
    const reached = [start]
    if (!left.delete(start)) continue
    for (const one of reached)
      for (const other of left)
        if (all[other]!.some((key) => all[one]!.includes(key))) {
          left.delete(other)
          reached.push(other)
        }
    largest = Math.max(largest, reached.length)
  }
  return largest
}

describe('foldsOf', () => {
  it('never puts a key in two folds, and makes folds as even as the largest group allows', () => {
    fc.assert(
      fc.property(keys, fc.integer({ min: 1, max: 5 }), fc.integer(), (all, count, seed) => {
        const folds = foldsOf(all, count, seed)
        const foldOfKey = new Map<string, number>()
        all.forEach((own, index) => {
          for (const key of own) {
            expect(foldOfKey.get(key) ?? folds[index]).toBe(folds[index])
            foldOfKey.set(key, folds[index]!)
          }
        })
        const sizes = Array.from({ length: count }, (_, fold) => folds.filter((one) => one === fold).length)
        expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(all.length)
        expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(largestGroup(all))
      }),
    )
  })

  it('keeps examples together that are connected through others', () => {
    const folds = foldsOf([['a'], ['c'], ['x'], ['b', 'c'], ['a', 'b'], ['x'], []], 3, 1)
    expect(new Set([0, 1, 3, 4].map((index) => folds[index])).size).toBe(1)
    expect(folds[2]).toBe(folds[5])
    expect(new Set(folds).size).toBe(3)
  })

  it('returns the same folds for the same seed, and different ones for another seed', () => {
    const all = Array.from({ length: 20 }, (_, index) => [`k${index}`])
    expect(foldsOf(all, 4, 7)).toEqual(foldsOf(all, 4, 7))
    expect(foldsOf(all, 4, 8)).not.toEqual(foldsOf(all, 4, 7))
  })
})
