/**
 * What every retriever does, present and future. A retriever's test is
 *
 *     testRetriever({ name: 'bm25', create: buildWinkBm25, reopen: … })
 *
 * and what one cannot do is declared beside it, with the reason.
 */
import { describe, expect, it } from 'vitest'
import type { BuildOptions, Documents } from '../../../adapters/search/corpus.ts'
import type { Condition, Document, Hit, Leg, Retriever, SubQuery } from '../../../src/types.ts'
import { expectError } from '../../support/expect-error.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

export interface Conformance<R extends Retriever> {
  readonly name: string
  /** A retriever over these documents. */
  create(documents: Documents, options?: BuildOptions): Promise<R>
  /** Saves a retriever into a folder and opens it again. Absent where documents live elsewhere. */
  reopen?(retriever: R, folder: string): Promise<Retriever>
  /** A filter in the retriever's language: every document but the one with this `docid` in its metadata. */
  without?(docid: string): unknown
  /** Tests that do not hold, and why. */
  readonly gaps?: readonly { readonly reason: string; readonly tests: readonly string[] }[]
}

/** Written for these tests: six short documents that share some words. */
export const library: readonly Document[] = [
  { docid: 'd1', title: 'Lighthouse', text: 'The lighthouse keeper climbs ninety steps every evening.' },
  { docid: 'd2', title: 'Harbour', text: 'Ships wait in the harbour until the fog is gone.' },
  { docid: 'd3', title: 'Bakery', text: 'The bakery opens before sunrise and sells rye bread.' },
  { docid: 'd4', text: 'A ferry crosses the river twice a day, in 1983 as in 2023.' },
  { docid: 'd5', title: 'Glacier', text: 'Meltwater of the glacier feeds the river.' },
  { docid: 'd6', title: 'Orchestra', text: 'The orchestra tunes to the oboe.' },
]

export function testRetriever<R extends Retriever>({
  name,
  create,
  reopen,
  without = (docid) => ({ docid: { not: docid } }),
  gaps = [],
}: Conformance<R>): void {
  const reasons = new Map(gaps.flatMap(({ reason, tests }) => tests.map((test) => [test, reason] as const)))
  const known = new Set<string>()

  function test(title: string, run: () => Promise<void>): void {
    known.add(title)
    const reason = reasons.get(title)
    // A gap must be one: it is run as well, and has to fail.
    if (reason === undefined) it(title, run)
    else it.fails(`${title} (not so: ${reason})`, run)
  }

  async function search(retriever: Retriever, text: string, k = 10): Promise<readonly Hit[]> {
    return hitsOf((await retriever.retrieve([subQuery(text)], { k }))[0])
  }

  describe(`retriever ${name}`, () => {
    test('finds the document that the query is about', async () => {
      const retriever = await create(library)
      expect((await search(retriever, 'rye bread from the bakery'))[0]?.docid).toBe('d3')
      expect((await search(retriever, 'ferry 1983'))[0]?.docid).toBe('d4')
    })

    test('searches the title with the text', async () => {
      expect((await search(await create(library), 'Harbour'))[0]?.docid).toBe('d2')
    })

    test('ranks from 1 with finite, falling scores, each document once', async () => {
      const hits = await search(await create(library), 'the river of the glacier and the ferry in the fog')
      expect(hits.map(({ rank }) => rank)).toEqual(hits.map((_, index) => index + 1))
      expect(hits.every(({ score }) => Number.isFinite(score))).toBe(true)
      expect(hits.map(({ score }) => score)).toEqual(hits.map(({ score }) => score).sort((a, b) => b - a))
      expect(new Set(hits.map(({ docid }) => docid)).size).toBe(hits.length)
    })

    test('gives no more than k hits, the same ones whatever k is', async () => {
      const retriever = await create(library)
      const all = await search(retriever, 'river glacier fog oboe', 100)
      expect(all.length).toBeGreaterThanOrEqual(4)
      for (const k of [1, 2, 3, 6, 7]) {
        expect(await search(retriever, 'river glacier fog oboe', k)).toEqual(all.slice(0, k))
      }
    })

    test('orders ties by docid, also where k cuts through them', async () => {
      const docids = ['t3', 't10', 't1', 'T2', 'é', 't2', 'a', 'z', '10', '9']
      const same = docids.map((docid) => ({ docid, text: 'the same words' }))
      const retriever = await create([...library, ...same])
      const expected = [...docids].sort()
      for (const k of [1, 4, 9, 10]) {
        const hits = await search(retriever, 'same words', k)
        expect(hits.map(({ docid }) => docid)).toEqual(expected.slice(0, k))
      }
    })

    test('answers one leg a sub-query, in their order, under its own name', async () => {
      const retriever = await create(library)
      const subQueries = ['glacier', 'oboe', 'glacier', 'bread'].map(subQuery)
      const legs = await retriever.retrieve(subQueries, { k: 1 })
      expect(legs.map((leg) => leg.subQuery)).toEqual(subQueries)
      expect(legs.map((leg) => leg.retriever)).toEqual(subQueries.map(() => retriever.name))
      expect(legs.map((leg) => hitsOf(leg)[0]?.docid)).toEqual(['d5', 'd6', 'd5', 'd3'])
    })

    test('answers in a batch what it answers alone', async () => {
      const retriever = await create(library)
      const texts = Array.from({ length: 40 }, (_, index) => `${library[index % 6]!.text} ${index}`)
      const legs = await retriever.retrieve(texts.map(subQuery), { k: 5 })
      for (const [index, text] of texts.entries()) {
        expect(hitsOf(legs[index])).toEqual(await search(retriever, text, 5))
      }
    })

    test('answers nothing to no sub-queries', async () => {
      expect(await (await create(library)).retrieve([], { k: 10 })).toEqual([])
    })

    test('answers concurrent searches as if each were alone', async () => {
      const retriever = await create(library)
      const texts = ['glacier', 'rye bread', 'oboe', 'fog', 'river'].flatMap((text) => Array(8).fill(text))
      const answers = await Promise.all(texts.map((text) => search(retriever, text)))
      for (const [index, text] of texts.entries())
        expect(answers[index]).toEqual(await search(retriever, text))
    })

    test('finds nothing for words that no document has', async () => {
      expect(await search(await create(library), 'xylophone quasar')).toEqual([])
    })

    test('finds nothing for a query without words', async () => {
      const retriever = await create(library)
      for (const text of ['', '   ', '?!', '🚢']) expect(await search(retriever, text)).toEqual([])
    })

    test('takes queries for plain words', async () => {
      const retriever = await create(library)
      const syntax = [
        'title:glacier AND -river',
        '"glacier" OR (NOT oboe)',
        'glacier* ~glacier^9 [a TO b]',
        '{"match_all":{}} glacier',
        'glacier\\ \u0000 \n\t %_ $1',
        "glacier'; --",
      ]
      for (const text of syntax)
        expect((await search(retriever, text)).map(({ docid }) => docid)).toContain('d5')
    })

    test('takes queries of 10,000 words, emoji and half a surrogate pair', async () => {
      const retriever = await create(library)
      const long = Array.from({ length: 10_000 }, (_, index) => (index % 3 === 0 ? 'oboe' : `word${index}`))
      for (const text of [long.join(' '), 'oboe 🎶', '\ud83d oboe', 'OBOE\u200d']) {
        expect((await search(retriever, text)).map(({ docid }) => docid)).toContain('d6')
      }
    })

    test('knows words and docids that every JavaScript object has', async () => {
      const names = ['constructor', '__proto__', 'hasOwnProperty', 'toString', 'length', '0']
      const documents = names.map((docid) => ({ docid, text: `about ${docid} only` }))
      const retriever = await create([...library, ...documents])
      for (const docid of names) expect((await search(retriever, `about ${docid}`))[0]?.docid).toBe(docid)
      for (const docid of names) await search(await create(library), docid)
    })

    test('takes documents with empty text, emoji, or a million characters', async () => {
      const retriever = await create([
        { docid: 'empty', text: '' },
        { docid: 'blank', title: '', text: ' \n' },
        { docid: 'emoji', title: '🎉', text: '🎉🎉 fireworks \ud83d' },
        { docid: 'long', text: 'zeppelin '.repeat(120_000) },
        { docid: 'one word', text: 'x'.repeat(1_000_000) },
        ...library,
      ])
      expect((await search(retriever, 'fireworks'))[0]?.docid).toBe('emoji')
      expect((await search(retriever, 'zeppelin'))[0]?.docid).toBe('long')
      expect((await search(retriever, 'oboe'))[0]?.docid).toBe('d6')
    })

    test('takes collections of none, one and two documents', async () => {
      expect(await search(await create([]), 'oboe')).toEqual([])
      const one = await create([{ docid: 'only', text: 'an oboe' }])
      expect((await search(one, 'oboe')).map(({ docid }) => docid)).toEqual(['only'])
      const two = await create(library.slice(4))
      expect((await search(two, 'oboe'))[0]?.docid).toBe('d6')
    })

    test('takes documents that come one by one, and tells how far it is', async () => {
      const done: number[] = []
      async function* slowly() {
        for (let index = 0; index < 700; index++) yield { docid: `n${index}`, text: `number ${index}` }
      }
      const retriever = await create(slowly(), { onProgress: (count) => done.push(count) })
      expect(done.at(-1)).toBe(700)
      expect(done.length).toBeGreaterThan(1)
      expect((await search(retriever, 'number 512'))[0]?.docid).toBe('n512')
    })

    test('refuses a docid that came before, naming both lines', async () => {
      const documents = [...library, { docid: 'd3', text: 'again' }]
      await expectError(create(documents), 'bad-document', /7.*"d3".*3/)
      await expectError(create(documents), 'bad-document')
    })

    test('refuses fields that are no strings, naming line and field', async () => {
      const wrong = { text: 7, title: null, docid: 42 }
      for (const [field, value] of Object.entries(wrong)) {
        const documents = [...library, { docid: 'd7', text: 'fine', [field]: value }] as Document[]
        await expectError(create(documents), 'bad-document')
        await expect(create(documents)).rejects.toThrow(new RegExp(`7.*"${field}"`))
      }
    })

    test('refuses a k that is not a whole number from 1', async () => {
      const retriever = await create(library)
      for (const k of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
        await expectError(search(retriever, 'oboe', k), 'bad-config')
      }
    })

    test('never leaves a filter out', async () => {
      const retriever = await create(library)
      // No document has this field in its metadata, and to engines this is no filter: it is refused, or nothing passes.
      const answer = retriever.retrieve([subQuery('oboe')], { k: 10, filter: { docid: 'd1' } })
      const found = await answer.then(([leg]) => hitsOf(leg)).catch(() => [])
      expect(found).toEqual([])
    })

    test('applies the conditions of each sub-query, and the filter beside them', async () => {
      const fielded = library.map((document) => ({ ...document, metadata: { docid: document.docid } }))
      const retriever = await create(fielded)
      expect(retriever.narrows).toBe(true)
      const text = 'river glacier oboe bread'
      const under = (...where: readonly Condition[]): SubQuery => ({ text, round: 1, where })
      const subQueries = [
        subQuery(text),
        under({ field: 'docid', is: ['d5', 'd6'] }),
        under({ field: 'docid', not: ['d5', 'd6'] }),
        under({ field: 'docid', gte: 'd4', lt: 'd6' }),
        under({ field: 'docid', is: ['d5', 'd6'] }, { field: 'docid', gt: 'd5' }),
        under({ field: 'nowhere', is: ['d5'] }),
      ]
      const found = async (filter?: unknown) => {
        const options = { k: 10, ...(filter !== undefined && { filter }) }
        const legs = await retriever.retrieve(subQueries, options)
        expect(legs.map((leg) => leg.subQuery)).toEqual(subQueries)
        return legs.map((leg) =>
          hitsOf(leg)
            .map(({ docid }) => docid)
            .sort(),
        )
      }
      const [all = [], ...narrowed] = await found()
      expect(all).toEqual(expect.arrayContaining(['d3', 'd4', 'd5', 'd6']))
      const not = (...docids: readonly string[]) => all.filter((docid) => !docids.includes(docid))
      expect(narrowed).toEqual([['d5', 'd6'], not('d5', 'd6'), ['d4', 'd5'], ['d6'], []])
      const [most, ...both] = await found(without('d5'))
      expect(most).toEqual(not('d5'))
      expect(both).toEqual([['d6'], not('d5', 'd6'), ['d4'], ['d6'], []])
    })

    test('knows the values of fields in the documents that pass the filter', async () => {
      const fielded = library.map((document) => ({ ...document, metadata: { docid: document.docid } }))
      const retriever = await create(fielded)
      const wanted = [
        { field: 'docid', of: 'values' },
        { field: 'nowhere', of: 'values' },
        { field: 'nowhere', of: 'range' },
      ] as const
      const values = async (filter?: unknown) => {
        const options = { signal: new AbortController().signal, ...(filter !== undefined && { filter }) }
        const [docids, ...others] = await retriever.values!(wanted, options)
        expect(others).toEqual([{}, {}])
        return [...(docids?.values ?? [])].sort()
      }
      expect(await values()).toEqual(['d1', 'd2', 'd3', 'd4', 'd5', 'd6'])
      expect(await values(without('d5'))).toEqual(['d1', 'd2', 'd3', 'd4', 'd6'])
    })

    test('stops building when it is aborted, before and during', async () => {
      const reason = new Error('enough')
      await expect(create(library, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)

      const controller = new AbortController()
      let given = 0
      function* endless() {
        for (; ; given++) {
          if (given === 300) controller.abort(reason)
          yield { docid: `e${given}`, text: 'more and more' }
        }
      }
      await expect(create(endless(), { signal: controller.signal })).rejects.toBe(reason)
      expect(given).toBeLessThan(1000)
    })

    test('does not search when it is aborted', async () => {
      const reason = new Error('enough')
      const retriever = await create(library)
      const answer = retriever.retrieve([subQuery('oboe')], { k: 1, signal: AbortSignal.abort(reason) })
      await expect(answer).rejects.toBe(reason)
    })

    test('leaves its arguments as they are', async () => {
      const documents = Object.freeze(library.map((document) => Object.freeze(document)))
      const retriever = await create(documents)
      const subQueries = Object.freeze([Object.freeze(subQuery('oboe'))])
      await retriever.retrieve(subQueries, Object.freeze({ k: 3 }))
    })

    test('can be closed twice', async () => {
      const retriever = await create(library)
      await retriever.close?.()
      await retriever.close?.()
    })

    if (reopen !== undefined) {
      test('answers after saving and opening as before', async () => {
        const documents = [...library, { docid: '__proto__', title: '🎉', text: 'constructor ñandú 東京' }]
        const built = await create(documents)
        const reopened = await reopen(built, await temporaryFolder())
        for (const text of ['river fog oboe', 'constructor', 'nandu', '東京', 'nothing at all', '']) {
          expect(await search(reopened, text)).toEqual(await search(built, text))
        }
      })

      test('saves over what was saved before', async () => {
        const folder = await temporaryFolder()
        await reopen(await create(library), folder)
        const reopened = await reopen(await create([{ docid: 'new', text: 'a new oboe' }]), folder)
        expect((await search(reopened, 'oboe')).map(({ docid }) => docid)).toEqual(['new'])
      })

      test('saves and opens an empty collection', async () => {
        expect(await search(await reopen(await create([]), await temporaryFolder()), 'oboe')).toEqual([])
      })
    }

    it('has a test for every gap that it declares', () => {
      expect([...reasons.keys()].filter((title) => !known.has(title))).toEqual([])
    })
  })
}

function subQuery(text: string): SubQuery {
  return { text, round: 1 }
}

/** A leg's hits; fails with the leg's own error where it has none. */
function hitsOf(leg: Leg | undefined): readonly Hit[] {
  if (leg === undefined) throw new Error('There is no such leg')
  if (leg.error !== undefined) throw leg.error
  return leg.hits
}
