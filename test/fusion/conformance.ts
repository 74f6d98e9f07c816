/**
 * What every fusion method must do, present and future: its test is one entry of the table in `conformance.test.ts`. If a
 * method differs by its nature, the table names the rule as a gap, with the reason; what still holds is tested.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { normNames } from '../../fusion/common/normalize.ts'
import type { FuseOptions, Fusion, Hit, RankedList } from '../../src/types.ts'
import { expectError } from '../support/expect-error.ts'
import { anyLists, docidsOf, list, ranked, scoresOf } from './lists.ts'

export interface Conforming {
  readonly name: string
  /** The method for a number of lists: trained methods have parameters for each list, here the same for all. */
  readonly create: (lists: number) => Fusion
  /** Whether it accepts weights. */
  readonly weighted?: boolean
  /** Whether it uses ranks. */
  readonly ranks?: boolean
  /** Rule → why it does not hold. */
  readonly gaps?: Partial<Record<Rule, string>>
}

type Rule = keyof typeof rules

const rules = {
  'an empty list changes nothing': 'then only the order must stay',
  'the order of the lists does not matter': 'then scores must still agree to six digits',
  'docid alone decides between equals': 'then another rule comes before it',
  'one list keeps its order': 'then all its documents must still be there',
  'a better rank never places a document lower': 'then nothing is asked',
} as const satisfies Record<string, string>

/** The plain definition, independent of the implementation. */
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

const three = [
  list([
    ['d', 9],
    ['b', 7],
    ['a', 6.5],
    ['e', 1],
  ]),
  list([
    ['b', 0.9],
    ['c', 0.8],
    ['d', 0.2],
  ]),
  list([
    ['f', 30],
    ['a', 29],
    ['b', 2],
  ]),
] as const

export function conforms({ name, create, weighted = false, ranks = false, gaps = {} }: Conforming): void {
  const fuse = (lists: readonly RankedList[], options?: FuseOptions): Hit[] =>
    create(lists.length).fuse(lists, options)
  const everything = (): Hit[] => fuse(three)
  const norms = normNames.filter((norm) => !(ranks && norm === 'borda'))

  /** Tests a rule, or, if it is a gap, what still holds without it. */
  const rule = (title: Rule, holds: () => void, otherwise: () => void): void => {
    const reason = gaps[title]
    if (reason === undefined) it(title, holds)
    else it(`gap: ${title} (${reason})`, otherwise)
  }

  describe(name, () => {
    it('ranks the union from 1, best score first, without repeats', () => {
      fc.assert(
        fc.property(anyLists, (lists) => {
          const hits = fuse(lists)
          expect(hits.map(({ rank }) => rank)).toEqual(hits.map((_, index) => index + 1))
          expect([...new Set(docidsOf(hits))]).toEqual(docidsOf(hits))
          expect(docidsOf(hits).sort()).toEqual(
            [...new Set(lists.flatMap((one) => docidsOf(one.hits)))].sort(),
          )
          const slack = gaps['docid alone decides between equals'] ? 1e-7 : 0
          const scores = hits.map(({ score }) => score)
          expect(scores.filter((score) => !Number.isFinite(score))).toEqual([])
          expect(scores.filter((score, place) => score > scores[place - 1]! + slack)).toEqual([])
        }),
      )
    })

    it('returns the first k of all hits', () => {
      expect(fuse(three, { k: 2 })).toEqual(everything().slice(0, 2))
      expect(fuse(three, { k: 0 })).toEqual([])
      expect(fuse(three, { k: 99 })).toEqual(everything())
    })

    it('uses only the first `depth` hits of each list', () => {
      const cut = three.map((one) => ({ ...one, hits: one.hits.slice(0, 2) }))
      expect(fuse(three, { depth: 2 })).toEqual(fuse(cut))
    })

    it('reduces duplicates inside a list to their best rank before it ranks and cuts', () => {
      const repeated = list([
        ['x', 5],
        ['y', 4],
        ['x', 3],
        ['y', 2],
        ['z', 1],
      ])
      const collapsed = list([
        ['x', 5],
        ['y', 4],
        ['z', 1],
      ])
      expect(fuse([repeated, three[0]])).toEqual(fuse([collapsed, three[0]]))
      expect(fuse([repeated], { depth: 3 })).toEqual(fuse([collapsed]))
    })

    it('uses the order of the array as the ranking, not `rank`', () => {
      const wrong = three.map((one) => ({ ...one, hits: one.hits.map((hit) => ({ ...hit, rank: 77 })) }))
      expect(fuse(wrong)).toEqual(everything())
    })

    it('returns no hits for no lists', () => {
      expect(fuse([])).toEqual([])
      expect(fuse([ranked(), ranked()])).toEqual([])
    })

    rule(
      'an empty list changes nothing',
      () => {
        expect(fuse([...three, ranked()])).toEqual(everything())
        expect(fuse([ranked(), ...three])).toEqual(everything())
      },
      () => {
        expect(docidsOf(fuse([...three, ranked()]))).toEqual(docidsOf(everything()))
        expect(docidsOf(fuse([ranked(), ...three]))).toEqual(docidsOf(everything()))
      },
    )

    rule(
      'one list keeps its order',
      () => expect(docidsOf(fuse([three[0]]))).toEqual(['d', 'b', 'a', 'e']),
      () => expect(docidsOf(fuse([three[0]])).sort()).toEqual(['a', 'b', 'd', 'e']),
    )

    rule(
      'docid alone decides between equals',
      () => {
        expect(docidsOf(fuse([ranked('b', 'a'), ranked('a', 'b')]))).toEqual(['a', 'b'])
        expect(docidsOf(fuse([ranked('a', 'b'), ranked('b', 'a')]))).toEqual(['a', 'b'])
        expect(docidsOf(fuse([ranked('2'), ranked('10'), ranked('ä'), ranked('Z')]))).toEqual([
          '10',
          '2',
          'Z',
          'ä',
        ])
      },
      () =>
        expect(docidsOf(fuse([ranked('2'), ranked('10'), ranked('ä'), ranked('Z')]))).toEqual([
          '10',
          '2',
          'Z',
          'ä',
        ]),
    )

    rule(
      'the order of the lists does not matter',
      () =>
        permutes((shuffled, given) => {
          expect(shuffled).toEqual(given)
        }),
      () =>
        permutes((shuffled, given) => {
          const scores = new Map(given.map(({ docid, score }) => [docid, score]))
          for (const { docid, score } of shuffled) {
            const difference = Math.abs(score - scores.get(docid)!)
            expect(difference).toBeLessThanOrEqual(1e-6 * Math.max(1, Math.abs(score)))
          }
        }),
    )

    function permutes(compare: (shuffled: readonly Hit[], given: readonly Hit[]) => void): void {
      const orders = anyLists.chain((lists) =>
        fc.tuple(fc.constant(lists), fc.shuffledSubarray(lists, { minLength: lists.length })),
      )
      fc.assert(fc.property(orders, ([lists, shuffled]) => compare(fuse(shuffled), fuse(lists))))
    }

    rule(
      'a better rank never places a document lower',
      () =>
        fc.assert(
          fc.property(anyLists, fc.nat(), fc.nat(), (lists, which, place) => {
            const chosen = lists[which % lists.length]!
            if (chosen.hits.length < 2) return
            const upper = place % (chosen.hits.length - 1)
            const risen = chosen.hits[upper + 1]!.docid
            const docids = docidsOf(chosen.hits)
            docids.splice(upper, 2, risen, docids[upper]!)
            const better = list(docids.map((docid, index) => [docid, chosen.hits[index]!.score]))
            const after = fuse(lists.map((one) => (one === chosen ? better : one)))
            expect(docidsOf(after).indexOf(risen)).toBeLessThanOrEqual(docidsOf(fuse(lists)).indexOf(risen))
          }),
        ),
      () => undefined,
    )

    it.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])(
      'refuses the score %s',
      (score) => {
        const bad = list(
          [
            ['fine', 1],
            ['broken', score],
          ],
          { retriever: 'dense', text: 'who wrote it' },
        )
        expectError(() => fuse([three[0], bad]), 'bad-list', `"broken" is ${score}`)
        expectError(() => fuse([three[0], bad]), 'bad-list', 'dense for "who wrote it"')
      },
    )

    it('handles docids that are special in objects', () => {
      const lists = [
        ranked('__proto__', 'constructor', 'toString', ''),
        ranked('constructor', '7', '__proto__'),
      ]
      expect(docidsOf(fuse(lists)).sort()).toEqual(['', '7', '__proto__', 'constructor', 'toString'])
    })

    it('does not change its input', () => {
      const frozen = three.map((one) =>
        Object.freeze({ ...one, hits: Object.freeze(one.hits.map(Object.freeze)) }),
      )
      const before = JSON.stringify(frozen)
      fuse(Object.freeze(frozen) as readonly RankedList[], { k: 3, provenance: true, norm: 'min-max' })
      expect(JSON.stringify(frozen)).toBe(before)
    })

    it('keeps the document of a hit', () => {
      const document = { docid: 'b', text: 'words' }
      const lists = [
        ranked('a', 'b'),
        { ...ranked('b'), hits: [{ docid: 'b', score: 1, rank: 1, document }] },
      ]
      expect(fuse(lists).find(({ docid }) => docid === 'b')!.document).toBe(document)
      expect(fuse(lists).find(({ docid }) => docid === 'a')).not.toHaveProperty('document')
    })

    it('adds provenance to each hit if asked to', () => {
      expect(everything()[0]).not.toHaveProperty('provenance')
      for (const { docid, provenance } of fuse(three, { provenance: true })) {
        const holding = three.filter((one) => docidsOf(one.hits).includes(docid))
        expect(
          provenance!.map(({ retriever, subQuery, rank, score }) => ({ retriever, subQuery, rank, score })),
        ).toEqual(
          holding.map(({ retriever, subQuery, hits }) => {
            const rank = docidsOf(hits).indexOf(docid) + 1
            return { retriever, subQuery, rank, score: hits[rank - 1]!.score }
          }),
        )
      }
    })

    it('has shares that sum to 1 and terms that sum to the score, or has neither', () => {
      fc.assert(
        fc.property(anyLists, fc.constantFrom(...norms), (lists, norm) => {
          const { term } = create(lists.length)
          const hits = fuse(lists, { provenance: true, norm })
          if (term === undefined) {
            expect(hits.flatMap(({ provenance }) => provenance!).filter((entry) => 'share' in entry)).toEqual(
              [],
            )
            return
          }
          const wrong = hits.filter(({ score, provenance }) => {
            const shares = provenance!.map(({ share }) => share!)
            const terms = provenance!.map(({ rank, score, normalized = score, weight = 1 }) =>
              term({ rank, score: normalized, weight }),
            )
            const isWhole = Math.abs(sum(shares) - 1) < 1e-12 && Math.min(...shares) >= 0
            return !(isWhole && Math.abs(sum(terms) - score) < 1e-12 * Math.max(1, score))
          })
          expect(wrong).toEqual([])
        }),
      )
    })

    if (ranks) {
      it('uses ranks, and rejects the normalization that adds documents', () => {
        expectError(() => fuse(three, { norm: 'borda' }), 'bad-config', create(three.length).name)
      })
    } else {
      it('uses only scores: ranks change nothing', () => {
        const reversed = three.map((one) => ({ ...one, hits: [...one.hits].reverse() }))
        const scores = scoresOf(everything())
        for (const { docid, score } of fuse(reversed)) expect(score).toBeCloseTo(scores[docid]!, 6)
      })
    }

    it('rejects weights that it cannot use', () => {
      const wrong = weighted
        ? [
            [1, 1],
            [1, 1, 1, 1],
            [1, Number.NaN, 1],
            [Number.POSITIVE_INFINITY, 1, 1],
          ]
        : [[1, 1, 1]]
      for (const weights of wrong) {
        expectError(() => fuse(three, { weights }), 'bad-weights')
      }
    })

    if (weighted) {
      it('treats a list of weight 1 like one without weights, and shows the weight', () => {
        const hits = fuse(three, { weights: [1, 1, 1], provenance: true })
        expect(hits.map(({ docid, score }) => [docid, score])).toEqual(
          everything().map(({ docid, score }) => [docid, score]),
        )
        expect(hits[0]!.provenance![0]!.weight).toBe(1)
      })

      it('counts the weights: others give other scores', () => {
        const weighted = (...weights: number[]) => scoresOf(fuse(three, { weights }))
        expect(weighted(3, 1, 1)).not.toEqual(weighted(1, 1, 3))
      })
    }

    it('rejects invalid values of k, depth and norm', () => {
      const wrong: readonly FuseOptions[] = [{ k: -1 }, { k: 1.5 }, { depth: Number.NaN }, { norm: 'minmax' }]
      for (const options of wrong) {
        expectError(() => fuse(three, options), 'bad-config')
      }
      expectError(() => fuse(three, { norm: 'minmax' }), 'bad-config', normNames.join(', '))
    })
  })
}
