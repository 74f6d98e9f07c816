import { describe, expect, it } from 'vitest'
import { elasticsearchLinear } from '../../fusion/elasticsearch-linear.ts'
import { elasticsearchRrf } from '../../fusion/elasticsearch-rrf.ts'
import { expectError } from '../support/expect-error.ts'
import { docidsOf, list, ranked, scoresOf } from './lists.ts'

const f32 = Math.fround

describe('elasticsearch-rrf', () => {
  it('adds 32-bit floats in the order of the lists', () => {
    const { a, b } = scoresOf(elasticsearchRrf().fuse([ranked('a', 'b'), ranked('b'), ranked('x', 'y', 'b')]))
    expect(a).toBe(f32(1 / 61))
    expect(b).toBe(f32(f32(f32(1 / 62) + f32(1 / 61)) + f32(1 / 63)))
    expect(b).not.toBe(1 / 62 + 1 / 61 + 1 / 63)
  })

  it('multiplies by weights, also in floats', () => {
    const lists = [ranked('a'), ranked('a')]
    const { a } = scoresOf(elasticsearchRrf({ rankConstant: 1 }).fuse(lists, { weights: [0.7, 0.1] }))
    expect(a).toBe(f32(f32(f32(0.7) * 0.5) + f32(f32(0.1) * 0.5)))
  })

  it.each([0, 1.5, Number.NaN])('rejects a rank constant of %s', (rankConstant) => {
    expectError(() => elasticsearchRrf({ rankConstant }), 'bad-config')
  })
})

describe('elasticsearch-linear', () => {
  const lists = [
    list([
      ['a', 12.5],
      ['b', 7.5],
      ['c', 2.5],
    ]),
    list([
      ['c', 0.9],
      ['a', 0.3],
    ]),
  ]

  it('does not normalize by default', () => {
    const { a, b, c } = scoresOf(elasticsearchLinear().fuse(lists, { weights: [1, 10] }))
    expect(a).toBe(f32(12.5 + f32(10 * f32(0.3))))
    expect(b).toBe(7.5)
    expect(c).toBe(f32(2.5 + f32(10 * f32(0.9))))
  })

  it('minmax: (s − min) / (max − min)', () => {
    // a: (12.5 − 2.5) / 10 + 0; b: (7.5 − 2.5) / 10; c: 0 + 1
    expect(scoresOf(elasticsearchLinear({ normalizer: 'minmax' }).fuse(lists))).toEqual({
      a: 1,
      b: 0.5,
      c: 1,
    })
  })

  it('minmax: 1 if max − min is below 1e-6', () => {
    const near = [
      list([
        ['a', 1 + 5e-7],
        ['b', 1],
      ]),
      list([['c', 0.2]]),
    ]
    expect(scoresOf(elasticsearchLinear({ normalizer: 'minmax' }).fuse(near))).toEqual({ a: 1, b: 1, c: 1 })
  })

  it('l2_norm: s / √Σ s²', () => {
    const { a, b } = scoresOf(
      elasticsearchLinear({ normalizer: 'l2_norm' }).fuse([
        list([
          ['a', 4],
          ['b', 3],
        ]),
      ]),
    )
    expect([a, b]).toEqual([f32(4 / 5), f32(3 / 5)])
  })

  it('l2_norm: s if the root is below 1e-6', () => {
    const { a } = scoresOf(elasticsearchLinear({ normalizer: 'l2_norm' }).fuse([list([['a', 5e-7]])]))
    expect(a).toBe(f32(5e-7))
  })

  it('keeps hits with the minimum score, and drops those below', () => {
    const fusion = elasticsearchLinear({ normalizer: 'minmax', minScore: 0.5 })
    expect(docidsOf(fusion.fuse([lists[0]!]))).toEqual(['a', 'b'])
    expectError(() => elasticsearchLinear({ minScore: -1 }), 'bad-config')
  })
})
