import { describe, expect, it } from 'vitest'
import { combSum } from '../../../fusion/comb-sum.ts'
import { normalizeLists, normNames } from '../../../fusion/common/normalize.ts'
import { expectError } from '../../support/expect-error.ts'
import { docidsOf, list, ranked, scoresOf } from '../lists.ts'

describe.each(normNames)('%s', (norm) => {
  it('keeps the order of a list, which is its ranking', () => {
    const given = [
      list([
        ['b', 3],
        ['a', 2],
        ['c', 2],
      ]),
      list([
        ['z', 0.25],
        ['x', 0.5],
      ]),
    ]
    for (const [index, { hits }] of normalizeLists(given, norm).entries()) {
      const own = docidsOf(given[index]!.hits)
      expect(docidsOf(hits).slice(0, own.length)).toEqual(own)
      expect(hits.every(({ score }) => Number.isFinite(score))).toBe(true)
    }
  })

  it('returns numbers for equal scores, one hit, zeros and empty lists', () => {
    const given = [
      list([
        ['a', 7],
        ['b', 7],
      ]),
      list([['c', -1]]),
      list([
        ['d', 0],
        ['e', 0],
      ]),
      ranked(),
    ]
    const scores = normalizeLists(given, norm).flatMap(({ hits }) => hits.map(({ score }) => score))
    expect(scores.every(Number.isFinite)).toBe(true)
    expect(normalizeLists([], norm)).toEqual([])
  })

  it('fuses like the lists that it returns', () => {
    const given = [
      list([
        ['b', 3],
        ['a', 2],
        ['c', 1],
      ]),
      list([
        ['c', 0.5],
        ['x', 0.25],
      ]),
    ]
    expect(scoresOf(combSum().fuse(given, { norm }))).toEqual(
      scoresOf(combSum().fuse(normalizeLists(given, norm))),
    )
  })
})

it('shows raw and normalized scores in the provenance', () => {
  const [first] = combSum().fuse(
    [
      list([
        ['a', 30],
        ['b', 20],
        ['c', 10],
      ]),
    ],
    { norm: 'min-max', provenance: true },
  )
  expect(first!.provenance).toEqual([
    { retriever: 'bm25', subQuery: { text: 'query', round: 1 }, rank: 1, score: 30, normalized: 1, share: 1 },
  ])
})

it('divides the share evenly if all lists contribute 0', () => {
  const lists = [
    list([
      ['a', 2],
      ['b', 1],
    ]),
    list([
      ['c', 9],
      ['b', 3],
    ]),
  ]
  const last = combSum().fuse(lists, { norm: 'min-max', provenance: true }).at(-1)!
  expect([last.docid, last.score]).toEqual(['b', 0])
  expect(last.provenance!.map(({ share }) => share)).toEqual([0.5, 0.5])
})

it.each(['zscore', '', '__proto__', 'constructor'])('has no normalization "%s"', (norm) => {
  expectError(() => normalizeLists([ranked('a')], norm), 'bad-config', normNames.join(', '))
})
