import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { inFront } from '../src/reranked-hits.ts'
import { hits } from './support/scripted.ts'

const docidsOf = (list: readonly { readonly docid: string }[]): string[] => list.map(({ docid }) => docid)

describe('inFront', () => {
  it('puts docids first, with scores of 1/rank, and keeps what fusion gave', () => {
    const given = hits('a', 'b', 'c')
    expect(inFront(given, ['c', 'nowhere', 'c'])).toEqual([
      { docid: 'c', rank: 1, score: 1, fused: { rank: 3, score: 1 } },
      { docid: 'a', rank: 2, score: 1 / 2, fused: { rank: 1, score: 3 } },
      { docid: 'b', rank: 3, score: 1 / 3, fused: { rank: 2, score: 2 } },
    ])
  })

  it('keeps the order of the hits within a set', () => {
    expect(docidsOf(inFront(hits('a', 'b', 'c', 'd'), ['d', new Set(['c', 'b'])]))).toEqual([
      'd',
      'b',
      'c',
      'a',
    ])
  })

  it('has the same hits, whatever comes first', () => {
    const docids = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e'))
    fc.assert(
      fc.property(docids, docids, (all, first) => {
        const moved = inFront(hits(...all), first)
        expect(docidsOf(moved).sort()).toEqual([...all].sort())
        const front = first.filter((docid) => all.includes(docid))
        expect(docidsOf(moved)).toEqual([...front, ...all.filter((docid) => !front.includes(docid))])
        expect(moved.map(({ rank }) => rank)).toEqual(all.map((_, place) => place + 1))
      }),
    )
  })
})
