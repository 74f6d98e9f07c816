import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mapfuse } from '../../fusion/mapfuse.ts'
import { rankScore } from '../../fusion/rank-score.ts'
import { rrf } from '../../fusion/rrf.ts'
import type { RankedList } from '../../src/types.ts'
import { anyLists, docidsOf, list, ranked, scoresOf } from './lists.ts'

interface Scored {
  readonly id: string
  readonly score: number
}

/** ACQO's eq. 1 and 2, worked out as exact fractions. */
const {
  rsf,
}: {
  readonly rsf: readonly {
    readonly name: string
    readonly lists: readonly (readonly Scored[])[]
    readonly expected?: readonly { readonly id: string; readonly P: string; readonly S: number }[]
    readonly expectedPairwise?: { readonly P: string; readonly order: readonly string[] }
  }[]
} = JSON.parse(readFileSync(new URL('../fixtures/golden/papers-rank-score.json', import.meta.url), 'utf8'))

const fuse = rankScore().fuse
const listsOf = (lists: readonly (readonly Scored[])[]): RankedList[] =>
  lists.map((one) => list(one.map(({ id, score }) => [id, score])))

function fractionValue(fraction: string): number {
  const [numerator, denominator = 1] = fraction.split('/').map(Number)
  return numerator! / denominator
}

describe("the paper's examples, as exact fractions", () => {
  it('are six', () => expect(rsf).toHaveLength(6))

  it.each(rsf.filter(({ expected }) => expected !== undefined))('$name', ({ lists, expected }) => {
    const hits = fuse(listsOf(lists))
    expect(docidsOf(hits)).toEqual(expected!.map(({ id }) => id))
    for (const [index, { P }] of expected!.entries())
      expect(1 / hits[index]!.score).toBeCloseTo(fractionValue(P), 14)
  })

  it.each(rsf.filter(({ expectedPairwise }) => expectedPairwise !== undefined))(
    '$name',
    ({ lists, expectedPairwise }) => {
      const { P, order } = expectedPairwise!
      const hits = fuse(listsOf(lists))
      expect(docidsOf(hits).filter((docid) => order.includes(docid))).toEqual(order)
      const scores = scoresOf(hits)
      for (const docid of order) expect(1 / scores[docid]!).toBeCloseTo(fractionValue(P), 14)
    },
  )
})

/** Lists with a document at these ranks; all other documents are in one list only. */
function withDocuments(
  documents: Readonly<Record<string, { readonly ranks: readonly number[]; readonly best: number }>>,
): RankedList[] {
  const width = Math.max(...Object.values(documents).map(({ ranks }) => ranks.length))
  return Array.from({ length: width }, (_, index) => {
    const here = new Map(
      Object.entries(documents).flatMap(([docid, { ranks, best }]) =>
        ranks[index] === undefined ? [] : [[ranks[index], { docid, best }] as const],
      ),
    )
    const depth = Math.max(...here.keys())
    return list(
      Array.from({ length: depth }, (_unused, place) => {
        const own = here.get(place + 1)
        return own === undefined ? [`filler-${index}-${place}`, 0] : [own.docid, own.best]
      }),
    )
  })
}

describe('float traps', () => {
  it.each([
    { x: [2, 12], y: [3, 4] },
    { x: [5, 1], y: [6, 30, 1] },
    { x: [1], y: [2, 3, 6] },
    { x: [1, 2, 6], y: [3, 3, 1] },
  ])('ranks $x and $y tie, and the score decides', ({ x, y }) => {
    const order = (bestX: number, bestY: number): string[] =>
      docidsOf(fuse(withDocuments({ x: { ranks: x, best: bestX }, y: { ranks: y, best: bestY } }))).filter(
        (docid) => ['x', 'y'].includes(docid),
      )
    expect(order(1, 2)).toEqual(['y', 'x'])
    expect(order(2, 1)).toEqual(['x', 'y'])
    expect(order(1, 1)).toEqual(['x', 'y'])
  })

  it('breaks ties of a thousand documents like those of two', () => {
    const lists = Array.from({ length: 4 }, (_, index) =>
      list(Array.from({ length: 1000 }, (_unused, place) => [`${index}-${place}`, 5000 - place])),
    )
    const hits = fuse(lists)
    expect(hits).toHaveLength(4000)
    expect(docidsOf(hits).slice(0, 5)).toEqual(['0-0', '1-0', '2-0', '3-0', '0-1'])
  })
})

describe('ties are broken by', () => {
  it('the best raw score, if all lists are from one retriever', () => {
    const lists = [
      list([
        ['a', 12.3],
        ['b', 1],
      ]),
      list([
        ['c', 0.97],
        ['d', 0.5],
      ]),
    ]
    expect(docidsOf(fuse(lists))).toEqual(['a', 'c', 'b', 'd'])
  })

  it('the best min-max-normalized score, if there are several retrievers', () => {
    // Raw, every BM25 score would come before every cosine. Both first ones are 1 here, 4 is (4 − 1) / 9 and 0.5 is 0.4 / 0.8.
    const lists = [
      list([
        ['y', 10],
        ['b', 4],
        ['s', 1],
      ]),
      list(
        [
          ['x', 0.9],
          ['c', 0.5],
          ['t', 0.1],
        ],
        { retriever: 'dense' },
      ),
    ]
    expect(docidsOf(fuse(lists))).toEqual(['x', 'y', 'c', 'b', 's', 't'])
    expect(docidsOf(fuse(lists, { norm: 'none' }))).toEqual(['y', 'x', 'b', 'c', 's', 't'])
    const [x] = fuse(lists, { provenance: true })
    expect(x!.provenance).toEqual([
      {
        retriever: 'dense',
        subQuery: { text: 'query', round: 1 },
        rank: 1,
        score: 0.9,
        normalized: 1,
        share: 1,
      },
    ])
  })

  it('the docid by code unit, at last', () => {
    const lists = [list([['b', 1]]), list([['B', 1]]), list([['ä', 1]]), list([['a', 1]])]
    expect(docidsOf(fuse(lists))).toEqual(['B', 'a', 'b', 'ä'])
  })
})

it('differs from RRF with k = 60: one first place beats two fifth places', () => {
  const lists = [ranked('g', '1', '2', '3', 'c'), ranked('4', '5', '6', '7', 'c')]
  const before = (fusion: { readonly fuse: typeof fuse }): string[] =>
    docidsOf(fusion.fuse(lists)).filter((docid) => docid === 'g' || docid === 'c')
  expect(before(rankScore())).toEqual(['g', 'c'])
  expect(before(rrf())).toEqual(['c', 'g'])
})

it('scores like RRF with k = 0 and MAPFuse with a MAP of 1, and orders like them except for ties', () => {
  fc.assert(
    fc.property(anyLists, (lists) => {
      const hits = fuse(lists)
      const zero = scoresOf(rrf({ k: 0 }).fuse(lists))
      const ones = scoresOf(mapfuse({ maps: lists.map(() => 1) }).fuse(lists))
      for (const [index, { docid, score }] of hits.entries()) {
        expect(score).toBeCloseTo(zero[docid]!, 12)
        expect(score).toBeCloseTo(ones[docid]!, 12)
        const next = hits[index + 1]
        if (next !== undefined) expect(zero[next.docid]! - zero[docid]!).toBeLessThan(1e-12)
      }
    }),
  )
})

it('gives each list its share of the score', () => {
  const [first] = fuse([ranked('a', 'b'), ranked('c', 'd', 'a')], { provenance: true })
  expect(first!.docid).toBe('a')
  // 1/1 and 1/3 are three quarters and one quarter of 4/3.
  expect(first!.score).toBe(4 / 3)
  expect(first!.provenance!.map(({ rank, share }) => [rank, share])).toEqual([
    [1, 0.75],
    [3, 0.25],
  ])
})
