import { readdir, readFile, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import bm25 from 'wink-bm25-text-search'
import { buildWinkBm25, loadWinkBm25, type WinkBm25Options } from '../../../adapters/search/wink-bm25.ts'
import type { Document } from '../../../src/types.ts'
import { expectError } from '../../support/expect-error.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { library, testRetriever } from './conformance.ts'

testRetriever({
  name: 'bm25',
  create: buildWinkBm25,
  reopen: (retriever, folder) => retriever.save(folder).then(() => loadWinkBm25(folder)),
})

async function scores(
  documents: readonly Document[],
  text: string,
  options: WinkBm25Options = {},
): Promise<Record<string, number>> {
  const retriever = await buildWinkBm25(documents, options)
  const [leg] = await retriever.retrieve([{ text, round: 1 }], { k: 100 })
  return Object.fromEntries(leg!.hits!.map(({ docid, score }) => [docid, score]))
}

const four: readonly Document[] = [
  { docid: 'a', title: 'red', text: 'red fox' },
  { docid: 'b', title: 'blue', text: 'fox fox den' },
  { docid: 'c', text: 'green tree' },
  { docid: 'd', text: 'quiet' },
]
// Words of each document, title included: 3, 4, 2 and 1.
const average = (3 + 4 + 2 + 1) / 4
const idf = (documents: number) => Math.log(1 + (4 - documents + 0.5) / (documents + 0.5))

describe('scores', () => {
  const weight = (times: number, length: number, { k1 = 0.9, b = 0.4 } = {}) =>
    (times * (k1 + 1)) / (times + k1 * (1 - b + (b * length) / average))

  it('are those of BM25 with k1 0.9 and b 0.4, the title searched as if it were text', async () => {
    const found = await scores(four, 'red fox')
    expect(Object.keys(found)).toEqual(['a', 'b'])
    expect(found.a).toBeCloseTo(idf(1) * weight(2, 3) + idf(2) * weight(1, 3), 8)
    expect(found.b).toBeCloseTo(idf(2) * weight(2, 4), 8)
  })

  it('count a word of the query as often as it stands there', async () => {
    const once = await scores(four, 'den')
    expect((await scores(four, 'den den den')).b).toBeCloseTo(3 * once.b!, 8)
  })

  it('follow k1 and b', async () => {
    const found = await scores(four, 'fox', { k1: 2, b: 1 })
    expect(found.a).toBeCloseTo(idf(2) * weight(1, 3, { k1: 2, b: 1 }), 8)
    expect(found.b).toBeCloseTo(idf(2) * weight(2, 4, { k1: 2, b: 1 }), 8)
    expect((await scores(four, 'fox', { k1: 0 })).b).toBeCloseTo(idf(2), 8)
  })

  it('follow the weights of the fields', async () => {
    // Title words count three times, in the length as well: 5 words in a, 6 in b, 2 in c, 1 in d.
    const found = await scores(four, 'red', { fields: { title: 3 }, b: 0 })
    expect(found.a).toBeCloseTo((idf(1) * (3 + 1) * (0.9 + 1)) / (3 + 1 + 0.9), 8)
    expect(await scores(four, 'blue', { fields: { title: 0 } })).toEqual({})
    expect(Object.keys(await scores(four, 'fox blue', { fields: { text: 0 } }))).toEqual(['b'])
  })

  it('are those of a search by wink itself', async () => {
    const words = ['ash', 'birch', 'cedar', 'elm', 'fir', 'oak', 'constructor']
    const text = fc.array(fc.constantFrom(...words), { maxLength: 12 }).map((chosen) => chosen.join(' '))
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 3, maxLength: 20 }), text, async (texts, query) => {
        const engine = bm25()
        engine.defineConfig({ fldWeights: { text: 1 }, bm25Params: { k1: 0.9, b: 0.4, k: 1 } })
        engine.definePrepTasks([(input) => (input === '' ? [] : input.split(' '))])
        for (const [position, document] of texts.entries()) engine.addDoc({ text: document }, position)
        engine.consolidate(9)
        const expected = Object.fromEntries(engine.search(query, texts.length))

        const documents = texts.map((document, position) => ({ docid: `${position}`, text: document }))
        const found = await scores(documents, query, { stem: false })
        expect(Object.keys(found).sort()).toEqual(Object.keys(expected).sort())
        for (const [docid, score] of Object.entries(found)) expect(score).toBeCloseTo(expected[docid]!, 10)
      }),
      { numRuns: 100 },
    )
  })

  it('are those of wink to the last bit, for each word, also with weights of fields', async () => {
    const words = ['ash', 'birch', 'cedar', 'elm', 'fir', 'oak', 'constructor']
    const text = fc.array(fc.constantFrom(...words), { maxLength: 30 }).map((chosen) => chosen.join(' '))
    const document = fc.record({ title: text, text })
    await fc.assert(
      fc.asyncProperty(fc.array(document, { minLength: 3, maxLength: 20 }), async (given) => {
        const engine = bm25()
        engine.defineConfig({ fldWeights: { title: 2.5, text: 1 }, bm25Params: { k1: 1.2, b: 0.75, k: 1 } })
        engine.definePrepTasks([(input) => (input === '' ? [] : input.split(' '))])
        for (const [position, one] of given.entries()) engine.addDoc(one, position)
        engine.consolidate(9)
        const documents = given.map((one, position) => ({ ...one, docid: `${position}` }))
        for (const word of words) {
          const options = { k1: 1.2, b: 0.75, fields: { title: 2.5 }, stem: false }
          const expected = Object.fromEntries(engine.search(word, given.length))
          expect(await scores(documents, word, options)).toEqual(expected)
        }
      }),
      { numRuns: 50 },
    )
  })
})

describe('options', () => {
  it('turn stems and stop words off, or take other stop words', async () => {
    const documents = [...library, { docid: 'x', text: 'foxes and the fox' }]
    expect(Object.keys(await scores(documents, 'foxing'))).toEqual(['x'])
    expect(await scores(documents, 'foxing', { stem: false })).toEqual({})
    expect(await scores(documents, 'and')).toEqual({})
    expect(Object.keys(await scores(documents, 'and', { stopWords: false }))).toContain('x')
    expect(await scores(documents, 'FOX', { stopWords: ['Fox', 'foxes'] })).toEqual({})
  })

  it.each<[string, object]>([
    ['k1', { k1: -1 }],
    ['k1', { k1: Number.NaN }],
    ['b', { b: 1.1 }],
    ['fields.title', { fields: { title: -1 } }],
    ['fields', { fields: { title: 0, text: 0 } }],
    ['body', { fields: { body: 2 } }],
    ['stem', { stem: 'yes' }],
    ['k2', { k2: 1 }],
  ])('name a wrong %s before anything is read', async (option, options) => {
    await expectError(buildWinkBm25(library, options), 'bad-config', option)
  })

  it('go into the saved index, but for the name', async () => {
    const folder = await temporaryFolder()
    const built = await buildWinkBm25([{ docid: 'x', text: 'the foxes' }], {
      stem: false,
      stopWords: ['fox'],
      name: 'words',
    })
    await built.save(folder)
    const opened = await loadWinkBm25(folder, { name: 'lexical' })
    expect(opened).toMatchObject({ name: 'lexical', size: 1 })
    const legs = await opened.retrieve(
      ['the', 'fox', 'foxes'].map((text) => ({ text, round: 1 })),
      { k: 1 },
    )
    expect(legs.map((leg) => leg.hits?.length)).toEqual([1, 0, 1])
  })
})

describe('a saved index', () => {
  async function saved(): Promise<{ folder: string; file: string }> {
    const folder = await temporaryFolder()
    await (await buildWinkBm25(library)).save(folder)
    return { folder, file: join(folder, 'bm25.index') }
  }

  it('is one file, with nothing left beside it', async () => {
    const { folder } = await saved()
    expect(await readdir(folder)).toEqual(['bm25.index'])
  })

  it('is refused where it was cut, at any byte', async () => {
    const { folder, file } = await saved()
    const whole = await readFile(file)
    for (const length of [whole.length - 1, whole.length >> 1, whole.indexOf('\n') + 1, 100, 1, 0]) {
      await truncate(file, length)
      await expectError(loadWinkBm25(folder), 'bad-index')
      await writeFile(file, whole)
    }
    await expect(loadWinkBm25(folder)).resolves.toMatchObject({ size: 6 })
  })

  it('is refused where it was changed', async () => {
    const { folder, file } = await saved()
    const bytes = await readFile(file)
    bytes[bytes.length - 3]! ^= 1
    await writeFile(file, bytes)
    await expectError(loadWinkBm25(folder), 'bad-index')
  })

  it.each(['{"format":"other"}\n', '[]\n', 'null\n', 'not JSON', '\n'])(
    'is refused where it is %j',
    async (content) => {
      const { folder, file } = await saved()
      await writeFile(file, content)
      await expectError(loadWinkBm25(folder), 'bad-index', 'querent index')
    },
  )

  it('is refused where there is none, naming the file', async () => {
    await expectError(loadWinkBm25(await temporaryFolder()), 'bad-index', 'bm25.index')
  })
})
