import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rankScore } from '../../../fusion/rank-score.ts'
import { subsetRanks } from '../../../policies/acqo/subset-ranks.ts'
import type { RankedList } from '../../../src/types.ts'
import { list, ranked } from '../../fusion/lists.ts'
import { anySearch, each } from './searches.ts'

/** For each set the docids in the order of their ranks. */
function orders(searched: readonly (readonly RankedList[])[], depth: number): string[][] {
  const docids = [...new Set(searched.flat(2).flatMap(({ hits }) => hits.map(({ docid }) => docid)))]
  const ranks = subsetRanks(searched, docids, depth)
  return Array.from({ length: 1 << searched.length }, (_, set) => {
    const order: string[] = []
    for (const [index, docid] of docids.entries()) {
      const rank = ranks[set * docids.length + index]!
      if (rank > 0) order[rank - 1] = docid
    }
    return order
  })
}

/** The same from fusing each set. */
function fusedOrders(searched: readonly (readonly RankedList[])[], depth: number): string[][] {
  return Array.from({ length: 1 << searched.length }, (_, set) => {
    const lists = searched.filter((_lists, index) => set & (1 << index)).flat()
    return set === 0
      ? []
      : rankScore()
          .fuse(lists, { depth })
          .map(({ docid }) => docid)
  })
}

describe('the order of every set is that of rank-score fusion', () => {
  it('for all lists, of one retriever or two, cut at any depth', () => {
    fc.assert(
      fc.property(anySearch, fc.integer({ min: 1, max: 10 }), (searched, depth) => {
        expect(orders(searched, depth)).toEqual(fusedOrders(searched, depth))
      }),
      { numRuns: 500 },
    )
  })

  it('for scores of two retrievers that have to be normalized before they decide', () => {
    const first = (docid: string, score: number, retriever: string): RankedList =>
      list(Object.entries({ [docid]: score, [`below ${docid}`]: score / 2 }), { retriever })
    // Alone the higher BM25 score wins; beside the vectors both are 1, the best of their list.
    const searched = [
      [first('b', 30, 'bm25'), first('b', 0.2, 'dense')],
      [first('a', 20, 'bm25'), first('a', 0.3, 'dense')],
    ]
    const lexical = searched.map(([own]) => [own!])
    expect(orders(lexical, 100)[0b11]!.slice(0, 2)).toEqual(['b', 'a'])
    expect(orders(searched, 100)[0b11]!.slice(0, 2)).toEqual(['a', 'b'])
    expect(orders(searched, 100)).toEqual(fusedOrders(searched, 100))
  })

  it('for long lists of ranks whose sums collide as doubles', () => {
    // X at ranks {2, 12} and Y at {3, 4} have 7/12 each, beside six lists that push sums about.
    const places = [
      { X: 2, Y: 3 },
      { X: 12, Y: 4 },
      { X: 100, Y: 99 },
      { X: 7, Y: 14 },
      { Y: 14 },
      { X: 99, Y: 100 },
      { X: 33 },
      { Y: 33 },
    ]
    const lists = places.map((here, index) => {
      const docids = Array.from({ length: 100 }, (_, place) => `${index % 3}-${place}`)
      for (const [docid, rank] of Object.entries(here)) docids[rank - 1] = docid
      return ranked(...docids)
    })
    expect(orders(each(lists), 100)).toEqual(fusedOrders(each(lists), 100))
  })

  it('for scores that could not be normalized, where nothing has to be', () => {
    const searched = each([list(Object.entries({ a: 1.7e308, b: -1.7e308 })), ranked('b')])
    expect(orders(searched, 100)).toEqual(fusedOrders(searched, 100))
  })
})
