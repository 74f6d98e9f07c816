import { describe, expect, it } from 'vitest'
import { fusionByName } from '../../../fusion/index.ts'
import { rankScore } from '../../../fusion/rank-score.ts'
import type { FuseOptions, RankedList } from '../../../src/types.ts'
import { expectError } from '../../support/expect-error.ts'
import { docidsOf, list } from '../lists.ts'

const huge = list([
  ['a', 1e308],
  ['b', 1e308],
  ['c', 1],
])

const fusing = (name: string, lists: readonly RankedList[], options?: FuseOptions) => () =>
  fusionByName(name).fuse(lists, options)

describe('a fused score that is not finite', () => {
  it.each([
    'comb-sum',
    'comb-mnz',
    'comb-gmnz',
    'comb-anz',
    'comb-med',
    'weighted-sum',
    'weighted-mnz',
    'mixed',
  ])('is refused by %s, which names the document', (name) => {
    expectError(fusing(name, [huge, huge]), 'bad-list', /"a".*Infinity/)
  })

  it.each(['weighted-borda', 'weighted-sum', 'elasticsearch-rrf', 'relative-score', 'opensearch'])(
    'is blamed on the weights of %s where it would be finite without them',
    (name) => {
      const small = list([
        ['a', 9],
        ['b', 8],
      ])
      expectError(fusing(name, [small, small], { weights: [1.7e308, 1.7e308] }), 'bad-weights')
    },
  )
})

describe('a normalization that overflows', () => {
  const apart = list(
    [
      ['a', 1.7e308],
      ['b', 0],
      ['c', -1.7e308],
    ],
    { retriever: 'dense', text: 'who' },
  )

  it.each(['min-max', 'min-max-inverted', 'sum', 'zmuv'])('is an error: %s', (norm) => {
    expectError(fusing('comb-sum', [apart], { norm }), 'bad-list', 'dense for "who"')
  })

  it.each(['relative-score', 'elasticsearch-linear', 'opensearch', 'qdrant-dbsf'])(
    'is refused by %s for scores that 32 bits cannot hold',
    (name) => {
      const long = list([
        ['a', 1e39],
        ['b', 2],
        ['c', 1],
      ])
      expectError(fusing(name, [long]), 'bad-list')
    },
  )

  it('does not affect rank-score, unless it needs the scores of several retrievers', () => {
    expect(docidsOf(rankScore().fuse([apart, { ...huge, retriever: 'dense' }]))).toEqual(['a', 'b', 'c'])
    expectError(() => rankScore().fuse([apart, huge]), 'bad-list')
  })
})
