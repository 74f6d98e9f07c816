import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { filtering } from '../../../adapters/search/filtering.ts'
import type { MetadataFilter } from '../../../adapters/search/metadata-filter.ts'
import { buildWinkBm25, loadWinkBm25 } from '../../../adapters/search/wink-bm25.ts'
import type { Document } from '../../../src/types.ts'
import { expectError } from '../../support/expect-error.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const books: readonly Document['metadata'][] = [
  { lang: 'en', year: 1818, tags: ['gothic', 'science'], author: { name: 'Shelley' } },
  { lang: 'en', year: 1897, tags: ['gothic'], published: '1897-05-26' },
  { lang: 'de', year: '1818', 'author.name': 'Hoffmann' },
  undefined,
]
const passing = async (filter: unknown): Promise<number[]> => {
  const [mask] = await filtering('books', async () => books).masksOf(filter, [{ text: 'any', round: 0 }])
  const places = [...mask!.passes.entries()].filter(([, passes]) => passes === 1).map(([place]) => place)
  expect(mask!.count).toBe(places.length)
  return places
}

it.each<[MetadataFilter, number[]]>([
  [{}, [0, 1, 2, 3]],
  [{ lang: 'en' }, [0, 1]],
  [{ lang: ['de', 'fr'] }, [2]],
  [{ lang: [] }, []],
  // Types count: one of the years is a text.
  [{ year: 1818 }, [0]],
  [{ year: { gte: 1818, lt: 1897 } }, [0]],
  [{ year: { gt: 1818 } }, [1]],
  [{ year: { lte: '1818' } }, [2]],
  [{ published: { gte: '1897-05-01', lte: '1897-05-31' } }, [1]],
  // Of a list, one element is enough; for `not`, one is too many.
  [{ tags: 'gothic' }, [0, 1]],
  [{ tags: { not: 'science' } }, [1, 2, 3]],
  [{ lang: { not: ['de', 'en'] } }, [3]],
  [{ 'author.name': ['Shelley', 'Hoffmann'] }, [0, 2]],
  [{ lang: 'en', tags: 'science' }, [0]],
  [{ nothing: 1 }, []],
  [{ constructor: 'Object' }, []],
])('%j passes %j', async (filter, places) => {
  expect(await passing(filter)).toEqual(places)
})

it.each([
  [null, 'books'],
  ['lang', 'books'],
  [['lang'], 'books'],
  [{ lang: null }, '"lang"'],
  [{ year: {} }, '"year"'],
  [{ year: { over: 1 } }, '"year"'],
  [{ lang: { not: {} } }, '"lang"'],
  [JSON.parse('{"lang": "en", "__proto__": "x"}'), '"__proto__"'],
  [JSON.parse('{"lang": {"not": "en", "__proto__": "x"}}'), '"lang"'],
  [JSON.parse('{"year": {"gte": 1, "__proto__": {}}}'), '"year"'],
])('refuses %j: %s', async (filter, why) => {
  await expectError(passing(filter), 'bad-config', why)
})

it('passes the numbers within any bounds, whatever else the field holds', async () => {
  const atLeastZero = { gt: undefined, gte: 0, lt: undefined, lte: undefined }
  const number = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.constantFrom(-0, 0.5, Infinity, -Infinity))
  const value = fc.oneof(number, number, number, fc.constantFrom('1', true, null, undefined, Number.NaN))
  const list = fc.array(fc.oneof(number, fc.constant('1')), { maxLength: 3 })
  const bound = fc.option(fc.integer({ min: -3, max: 3 }), { nil: undefined })
  const isWithin = (one: unknown, { gt, gte, lt, lte }: Record<string, number | undefined>): boolean =>
    typeof one === 'number' &&
    (gt === undefined || one > gt) &&
    (gte === undefined || one >= gte) &&
    (lt === undefined || one < lt) &&
    (lte === undefined || one <= lte)
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(fc.array(value, { maxLength: 20 }), fc.array(fc.oneof(value, list), { maxLength: 20 })),
      fc.array(fc.record({ gt: bound, gte: bound, lt: bound, lte: bound }), { minLength: 1, maxLength: 3 }),
      fc.boolean(),
      async (found, ranges, onShelf) => {
        const { masksOf } = filtering('any', async () =>
          found.map((one, place) => ({ number: one, shelf: place % 2 })),
        )
        for (const range of ranges) {
          if (Object.values(range).every((one) => one === undefined)) continue
          const filter = { number: range, ...(onShelf && { shelf: 1 }) }
          const [mask] = await masksOf(filter, [{ text: 'any', round: 0 }])
          const expected = found.map((one, place) =>
            (Array.isArray(one) ? one.some((element) => isWithin(element, range)) : isWithin(one, range)) &&
            (!onShelf || place % 2 === 1)
              ? 1
              : 0,
          )
          expect([...mask!.passes]).toEqual(expected)
        }
      },
    ),
    {
      examples: [
        [
          [
            ['1', Infinity],
            ['1', -Infinity],
          ],
          [atLeastZero],
          false,
        ],
      ],
    },
  )
})

describe('a filtered search', () => {
  it('has the hits of the whole list that pass, with the same scores', async () => {
    const word = fc.constantFrom('red', 'fox', 'den', 'tree')
    const document = fc.record({
      text: fc.array(word, { maxLength: 6 }).map((words) => words.join(' ')),
      metadata: fc.record({ shelf: fc.integer({ min: 0, max: 3 }) }),
    })
    await fc.assert(
      fc.asyncProperty(
        fc.array(document, { maxLength: 30 }),
        fc.integer({ min: 0, max: 3 }),
        fc.integer({ min: 1, max: 8 }),
        async (given, shelf, k) => {
          const documents = given.map((one, place) => ({ ...one, docid: `d${place}` }))
          const retriever = await buildWinkBm25(documents)
          const asked = [{ text: 'red fox', round: 1 }]
          const [all] = await retriever.retrieve(asked, { k: 30 })
          const [leg] = await retriever.retrieve(asked, { k, filter: { shelf } })
          const on = new Set(
            documents.filter(({ metadata }) => metadata.shelf === shelf).map(({ docid }) => docid),
          )
          const expected = all!.hits!.filter(({ docid }) => on.has(docid)).slice(0, k)
          expect(leg!.hits).toEqual(expected.map((hit, place) => ({ ...hit, rank: place + 1 })))
        },
      ),
      { numRuns: 50 },
    )
  })

  it('is refused where the metadata are not known, and works where they are given', async () => {
    const folder = await temporaryFolder()
    const built = await buildWinkBm25([{ docid: 'a', text: 'red fox', metadata: { lang: 'en' } }])
    await built.save(folder)
    const asked = [{ text: 'fox', round: 1 }]
    const without = await loadWinkBm25(folder)
    await expectError(
      without.retrieve(asked, { k: 1, filter: { lang: 'en' } }),
      'bad-config',
      'cannot filter',
    )
    const known = await loadWinkBm25(folder, { metadata: async () => [{ lang: 'en' }] })
    const hits = async (lang: string) =>
      (await known.retrieve(asked, { k: 1, filter: { lang } }))[0]!.hits!.length
    expect([await hits('en'), await hits('de')]).toEqual([1, 0])
  })
})
