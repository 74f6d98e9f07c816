import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { poolDocids, poolOf } from '../../../../policies/local/rerank/pool.ts'
import type { RankedList } from '../../../../src/types.ts'
import { hits } from '../../../support/scripted.ts'

const original = 'Who painted it?'

/** A list of docids, one a letter, of the query as it is unless told otherwise. */
const list = (docids: string, text = original, retriever = 'bm25', stage: 1 | 2 = 1): RankedList => ({
  retriever,
  ...(retriever === 'dense' && { kind: 'dense' }),
  subQuery: { text, round: 1, ...(stage === 2 && { from: 'd' }) },
  hits: hits(...docids),
})

const order = (...lists: readonly RankedList[]): string =>
  poolOf(lists, original, 100)
    .candidates.map(({ docid }) => docid)
    .join('')

describe('poolOf', () => {
  it('takes the lowest score of a deep list from its 60th hit', () => {
    const deep = (count: number): RankedList => ({
      ...list(''),
      hits: Array.from({ length: count }, (_, at) => ({ docid: `d${at}`, score: -at, rank: at + 1 })),
    })
    expect([40, 60, 300].map((count) => poolOf([deep(count)], original, 100).lexical.last)).toEqual([
      -39, -59, -59,
    ])
  })

  it('counts the lists of the query as it is five times in the order, and once in the sum', () => {
    const { candidates } = poolOf([list('abc'), list('deb', 'viaduct')], original, 100)
    expect(candidates.map(({ docid, priority, fused }) => [docid, priority, fused])).toEqual([
      ['a', 5, 1],
      ['b', 5 / 2 + 1 / 3, 1 / 2 + 1 / 3],
      ['c', 5 / 3, 1 / 3],
      ['d', 1, 1],
      ['e', 1 / 2, 1 / 2],
    ])
  })

  it('keeps the best rank in the lists that were made from a document', () => {
    const from = (docid: string, docids: string, text: string, retriever = 'bm25'): RankedList => ({
      ...list(docids, text, retriever),
      subQuery: { text, round: 1, from: docid },
    })
    const { candidates } = poolOf(
      [list('ab'), from('a', 'xyb', 'hill'), from('a', 'yx', 'hill', 'dense'), from('b', 'x', 'viaduct')],
      original,
      100,
    )
    const ranks = Object.fromEntries(candidates.map(({ docid, foundFrom }) => [docid, [...foundFrom]]))
    expect(ranks).toEqual({
      a: [],
      b: [['a', 3]],
      x: [
        ['a', 1],
        ['b', 1],
      ],
      y: [['a', 1]],
    })
  })

  it('knows the query whatever its case and spaces, and from any retriever', () => {
    // Five times 1/2 is more than 1 and 1/2.
    for (const text of [original, '  who  PAINTED it?'])
      for (const retriever of ['bm25', 'dense'])
        expect(order(list('xb', text, retriever), list('ca', 'viaduct'), list('zc', 'hill'))).toBe('xbcza')
  })

  it("takes several retrievers of a kind for one: best rank, and scores by the first one's scale", () => {
    const scored = (retriever: string, scores: Readonly<Record<string, number>>): RankedList => ({
      ...list('', original, retriever),
      hits: Object.entries(scores).map(([docid, score], place) => ({ docid, score, rank: place + 1 })),
    })
    const lists = [scored('bm25', { a: 20, b: 10 }), scored('splade', { c: 2, a: 1 }), scored('rm3', {})]
    const { lexical, candidates } = poolOf(lists, original, 100)
    expect(lexical).toEqual({ docid: 'a', first: 20, second: 10, last: 10 })
    // What splade finds first is as good as what BM25 finds first.
    expect(candidates.map(({ docid, lexical: { rank, score } }) => [docid, rank, score])).toEqual([
      ['a', 1, 20],
      ['c', 1, 20],
      ['b', 2, 10],
    ])
  })

  it('orders equals by docid, capitals first, whichever list came first', () => {
    expect(order(list('b', 'one'), list('a', 'two'), list('B', 'three'))).toBe('Bab')
  })

  it('says where the lists of each kind have a document', () => {
    const { candidates } = poolOf(
      [
        list('ba'),
        list('cxab', original, 'dense'),
        list('cda', 'one'),
        list('a', 'two'),
        list('xyza', 'three'),
        list('xya', 'four', 'dense', 2),
        list('qrstuvwxyza', 'five', 'dense', 2),
      ],
      original,
      100,
    )
    // Five of the lists have it first to third, one fourth, and one eleventh.
    expect(candidates.find(({ docid }) => docid === 'a')).toMatchObject({
      high: 6,
      lexical: { rank: 2, score: 1, stageOne: 1, stageTwo: 0 },
      dense: { rank: 3, score: 2, stageOne: 0, stageTwo: 3 },
    })
    expect(candidates.find(({ docid }) => docid === 'b')).toMatchObject({
      high: 2,
      lexical: { rank: 1, score: 2, stageOne: 0, stageTwo: 0 },
      dense: { rank: 4, score: 1, stageOne: 0, stageTwo: 0 },
    })
  })

  it('keeps the scores of the query as it is: first, second and last', () => {
    const nothing = { first: 0, second: 0, last: 0 }
    const told = (...lists: readonly RankedList[]) => {
      const { candidates: _, ...rest } = poolOf(lists, original, 100)
      return rest
    }
    expect(told()).toEqual({ lists: 0, hasDense: false, hasOthers: false, lexical: nothing, dense: nothing })
    expect(told(list('ab', 'one'), list('', 'one', 'dense'), list('abcd'))).toEqual({
      lists: 3,
      hasDense: true,
      hasOthers: true,
      lexical: { docid: 'a', first: 4, second: 3, last: 1 },
      dense: nothing,
    })
    expect(told(list('a', original, 'dense'))).toMatchObject({
      hasOthers: false,
      dense: { first: 1, second: 0, last: 1 },
    })
  })

  it('has each document once, those that matter most first, and with a limit the first of the same', () => {
    const docids = fc.uniqueArray(fc.constantFrom(...'abcdefghijkl'), { maxLength: 12 })
    const lists = fc.array(fc.tuple(docids, fc.constantFrom(original, 'one', 'two')), { maxLength: 6 })
    fc.assert(
      fc.property(lists, fc.nat({ max: 12 }), (drawn, most) => {
        const given = drawn.map(([ids, text]) => list(ids.join(''), text))
        const { candidates } = poolOf(given, original, Infinity)
        const found = candidates.map(({ docid }) => docid)
        expect([...found].sort()).toEqual([...new Set(drawn.flatMap(([ids]) => ids))].sort())
        const priorities = candidates.map(({ priority }) => priority)
        expect(priorities).toEqual([...priorities].sort((a, b) => b - a))
        expect(poolOf(given, original, most).candidates).toEqual(candidates.slice(0, most))
      }),
    )
  })
})

it('poolDocids are the first sixty', () => {
  const docids = Array.from({ length: 150 }, (_, index) => `d${index}`)
  const lists = [{ ...list(''), hits: hits(...docids) }, list('z', 'one')]
  // 5 / rank falls to 1 at the fifth, which comes first by docid; z takes the place of the sixtieth.
  const expected = [...docids.slice(0, 5), 'z', ...docids.slice(5, 59)]
  expect(poolDocids(lists, original)).toEqual(expected)
})
