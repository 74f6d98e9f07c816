import { describe, expect, it } from 'vitest'
import type { Example } from '../../../../policies/local/training/example.ts'
import { shortLength, withShortLists } from '../../../../policies/local/training/short-lists.ts'
import type { RankedList } from '../../../../src/types.ts'
import { example } from '../../../support/prepared.ts'

const docids = Array.from({ length: shortLength + 5 }, (_, place) => `d${place}`)
const found = (lists: readonly RankedList[]): string[][] =>
  lists.map(({ hits }) => hits.map(({ docid }) => docid))

/** A query whose list, and that of every sub-query, has the same documents. */
function long(qid: string): Example {
  const one = example({ qid, golds: ['d1'], asIs: docids })
  return { ...one, search: async (texts) => texts.map(() => one.lists) }
}

describe('withShortLists', () => {
  const [first, second, third] = withShortLists([long('a'), long('b'), long('c')]) as [
    Example,
    Example,
    Example,
  ]

  it('shortens the lists of every second query', () => {
    expect(found(first.lists)).toEqual([docids])
    expect(found(second.lists)).toEqual([docids.slice(0, shortLength)])
    expect(found(third.lists)).toEqual([docids])
  })

  it('shortens the lists of its sub-queries, too', async () => {
    const texts = [{ text: 'x' }, { text: 'y' }]
    expect((await first.search(texts)).map(found)).toEqual([[docids], [docids]])
    const short = [docids.slice(0, shortLength)]
    expect((await second.search(texts)).map(found)).toEqual([short, short])
  })

  it('keeps what is judged, and a list that is short already', () => {
    const [, kept] = withShortLists([long('a'), example({ qid: 'b', golds: ['d2'], asIs: ['d1', 'd2'] })])
    expect(found(kept!.lists)).toEqual([['d1', 'd2']])
    expect(kept).toMatchObject({ query: { qid: 'b' }, keys: ['d2'], golds: new Map([['d2', 1]]) })
  })
})
