/** FAISS with the real library and an embedder of hashed words. What would end the process must be an error of ours. */
import { mkdir, readdir, readFile, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { buildFaiss, type FaissOptions, loadFaiss, type OpenedFaiss } from '../../adapters/search/faiss.ts'
import { newFaissIndex, openFaissIndex } from '../../adapters/search/faiss-index.ts'
import { loadFaissLibrary } from '../../adapters/search/faiss-library.ts'
import { createRandom } from '../../src/learn/random.ts'
import type { Document, Embedder, Hit } from '../../src/types.ts'
import { library as documents, testRetriever } from '../adapters/search/conformance.ts'
import { expectError } from '../support/expect-error.ts'
import { hashEmbedder } from '../support/hash-embedder.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const missing = await loadFaissLibrary().then(
  () => undefined,
  (error: Error) => error.message,
)
const needs = missing === undefined ? '' : ` (needs faiss-node: ${missing})`
const gaps = [
  {
    reason: 'every text has a nearest vector',
    tests: ['finds nothing for words that no document has', 'finds nothing for a query without words'],
  },
]

describe.skipIf(missing !== undefined)(`faiss${needs}`, () => {
  const embedder = hashEmbedder()

  testRetriever({
    name: 'dense, flat',
    create: (given, options) => buildFaiss(given, { embedder, ...options }),
    reopen: (retriever, folder) => retriever.save(folder).then(() => loadFaiss(folder, { embedder })),
    gaps,
  })

  testRetriever({
    name: 'dense, HNSW',
    create: (given, options) => buildFaiss(given, { embedder, hnsw: { efSearch: 64 }, ...options }),
    reopen: (retriever, folder) => retriever.save(folder).then(() => loadFaiss(folder, { embedder })),
    gaps,
  })

  describe('filters', () => {
    it.each([false, { efSearch: 2000 }])('give the best of those that pass, HNSW: %o', async (hnsw) => {
      const { docids, embedder: random } = randomVectors({ count: 2000, dimensions: 16 })
      const given = documentsOf(docids).map((one, place) => ({ ...one, metadata: { place, odd: place % 2 } }))
      const retriever = await buildFaiss(given, { embedder: random, hnsw })
      const asked = [{ text: given[7]!.text, round: 1 }]
      const [all] = await retriever.retrieve(asked, { k: 2000 })
      // Of 2,000 documents 1,000, 20, 1 and none.
      for (const [filter, passes] of [
        [{ odd: 1 }, (place: number) => place % 2 === 1],
        [{ place: { lt: 20 } }, (place: number) => place < 20],
        [{ place: 1999 }, (place: number) => place === 1999],
        [{ place: -1 }, () => false],
      ] as const) {
        const [leg] = await retriever.retrieve(asked, { k: 10, filter })
        const expected = all!.hits!.filter(({ docid }) => passes(docids.indexOf(docid))).slice(0, 10)
        expect(leg!.hits!.map(({ docid }) => docid)).toEqual(expected.map(({ docid }) => docid))
      }
    })
  })

  describe('scores', () => {
    it('are cosines, flat and HNSW', async () => {
      const three = [
        { docid: 'same', text: 'red fox' },
        { docid: 'half', text: 'red den' },
        { docid: 'none', text: 'green' },
      ]
      for (const hnsw of [false, true]) {
        const hits = await search(await buildFaiss(three, { embedder, hnsw }), 'red fox')
        // One of two words each: 1/√2 · 1/√2.
        expect(hits.map(({ docid }) => docid)).toEqual(['same', 'half', 'none'])
        for (const [index, cosine] of [1, 0.5, 0].entries()) expect(hits[index]!.score).toBeCloseTo(cosine, 6)
      }
    })

    it('are those of all vectors compared one by one', async () => {
      const { vectors, docids, embedder: random } = randomVectors({ count: 2000, dimensions: 48 })
      const retriever = await buildFaiss(documentsOf(docids), { embedder: random })
      for (const docid of docids.slice(0, 20)) {
        const query = vectors.get(docid)!
        const all = docids.map((other) => ({ docid: other, score: dot(query, vectors.get(other)!) }))
        const best = all.sort((a, b) => b.score - a.score).slice(0, 10)
        const hits = await search(retriever, docid)
        expect(hits.map((hit) => hit.docid)).toEqual(best.map((hit) => hit.docid))
        for (const [index, { score }] of best.entries()) expect(hits[index]!.score).toBeCloseTo(score, 5)
      }
    })
  })

  it('embeds title and text of documents as sentence-transformers does, and all sub-queries in one call', async () => {
    const counting = hashEmbedder()
    const retriever = await buildFaiss(documents.slice(2, 4), { embedder: counting })
    await retriever.retrieve(
      [
        { text: 'one', round: 1 },
        { text: 'two', round: 1 },
      ],
      { k: 1 },
    )
    expect(counting.calls).toEqual([
      { kind: 'document', texts: [`Bakery ${documents[2]!.text}`, documents[3]!.text] },
      { kind: 'query', texts: ['one', 'two'] },
    ])
  })

  it('finds more of the nearest with a greater efSearch, which the saved index keeps', async () => {
    const { docids, embedder: random } = randomVectors({ count: 3000, dimensions: 64 })
    const exact = await buildFaiss(documentsOf(docids), { embedder: random })
    const recall = async (hnsw: FaissOptions['hnsw']) => {
      const built = await buildFaiss(documentsOf(docids), { embedder: random, hnsw: hnsw ?? true })
      const folder = await temporaryFolder()
      await built.save(folder)
      const opened = await loadFaiss(folder, { embedder: random })
      let found = 0
      for (const docid of docids.slice(0, 50)) {
        const expected = new Set((await search(exact, `near ${docid}`)).map((hit) => hit.docid))
        found += (await search(opened, `near ${docid}`)).filter((hit) => expected.has(hit.docid)).length
      }
      return found / 500
    }
    const low = await recall({ M: 4, efConstruction: 8, efSearch: 1 })
    const high = await recall({ M: 32, efConstruction: 200, efSearch: 500 })
    expect(high).toBeGreaterThan(0.95)
    expect(low).toBeLessThan(high - 0.1)
  })

  describe('what an embedder gives', () => {
    const giving = (
      vectors: (texts: readonly string[]) => readonly Float32Array[],
      dimensions = 2,
    ): Embedder => ({
      name: 'broken',
      dimensions,
      embed: async (texts) => vectors(texts),
    })
    const one = [{ docid: 'a', text: 'x' }]

    it.each<[string, Float32Array]>([
      ['another size', Float32Array.of(1, 0, 0)],
      ['NaN', Float32Array.of(Number.NaN, 0)],
      ['infinity', Float32Array.of(Number.POSITIVE_INFINITY, 0)],
      ['another length', Float32Array.of(3, 4)],
    ])('is refused where it has %s, of documents and of queries', async (_, bad) => {
      const build = buildFaiss(one, { embedder: giving((texts) => texts.map(() => bad)) })
      await expectError(build, 'embed-failed')

      let good = true
      const turning = giving((texts) => texts.map(() => (good ? Float32Array.of(1, 0) : bad)))
      const retriever = await buildFaiss(one, { embedder: turning })
      good = false
      await expectError(search(retriever, 'x'), 'embed-failed')
    })

    it('is refused where vectors are missing', async () => {
      await expectError(buildFaiss(one, { embedder: giving(() => []) }), 'embed-failed', '0 vectors')
    })

    it.each([0, -1, 1.5, Number.NaN])('is refused where it has %s dimensions', async (dimensions) => {
      const build = buildFaiss(one, { embedder: giving(() => [], dimensions) })
      await expectError(build, 'bad-config')
    })

    it('may be an error, which is passed on as it is', async () => {
      const failure = new Error('the model is gone')
      const failing = giving(() => {
        throw failure
      })
      await expect(buildFaiss(one, { embedder: failing })).rejects.toBe(failure)
    })
  })

  it.each<[string, object]>([
    ['M', { M: 1 }],
    ['M', { M: 10_000 }],
    ['efSearch', { efSearch: 0 }],
    ['efConstruction', { efConstruction: 1.5 }],
    ['ef', { ef: 3 }],
  ])('names a wrong HNSW option %s', async (option, hnsw) => {
    await expectError(buildFaiss(documents, { embedder, hnsw }), 'bad-config', option)
  })

  it('says that it is closed', async () => {
    const retriever = await buildFaiss(documents, { embedder })
    await retriever.close()
    await expectError(search(retriever, 'oboe'), 'retriever-failed')
    await expectError(retriever.save(await temporaryFolder()), 'retriever-failed')
  })

  it('stops between embedding and searching when it is aborted', async () => {
    const controller = new AbortController()
    const reason = new Error('enough')
    const aborting: Embedder = {
      ...embedder,
      async embed(texts, options) {
        if (options.kind === 'query') controller.abort(reason)
        return embedder.embed(texts, { kind: options.kind })
      },
    }
    const retriever = await buildFaiss(documents, { embedder: aborting })
    const answer = retriever.retrieve([{ text: 'oboe', round: 1 }], { k: 1, signal: controller.signal })
    await expect(answer).rejects.toBe(reason)
  })

  describe('a saved index', () => {
    async function saved(options: Partial<FaissOptions> = {}): Promise<string> {
      const folder = await temporaryFolder()
      await (await buildFaiss(documents, { embedder, ...options })).save(folder)
      return folder
    }

    it('is two files, with nothing left beside them', async () => {
      expect((await readdir(await saved())).sort()).toEqual(['faiss.index', 'faiss.json'])
    })

    it('is made in a folder that does not exist yet', async () => {
      const folder = join(await temporaryFolder(), 'a', 'b')
      await (await buildFaiss(documents, { embedder })).save(folder)
      await expect(loadFaiss(folder, { embedder })).resolves.toMatchObject({ size: 6 })
    })

    it('is refused where its place is a file or may not be written', async () => {
      const retriever = await buildFaiss(documents, { embedder })
      const folder = await temporaryFolder()
      await writeFile(join(folder, 'file'), '')
      await expect(retriever.save(join(folder, 'file'))).rejects.toThrow('EEXIST')
      await mkdir(join(folder, 'sub', 'faiss.index'), { recursive: true })
      await expect(retriever.save(join(folder, 'sub'))).rejects.toThrow('faiss.index')
    })

    it.each(['faiss.index', 'faiss.json'])(
      'is refused where %s was cut, changed or is gone',
      async (file) => {
        const folder = await saved()
        const path = join(folder, file)
        const whole = await readFile(path)
        for (const length of [whole.length - 1, whole.length >> 1, 33, 4, 0]) {
          await truncate(path, length)
          await expectError(loadFaiss(folder, { embedder }), 'bad-index')
          await writeFile(path, whole)
        }
        await writeFile(path, '{"format":"other"}')
        await expectError(loadFaiss(folder, { embedder }), 'bad-index', 'querent index')
      },
    )

    it('is refused where its vectors are those of another index, even another kind of the same', async () => {
      const folder = await saved()
      await writeFile(
        join(folder, 'faiss.index'),
        await readFile(join(await saved({ hnsw: true }), 'faiss.index')),
      )
      await expectError(loadFaiss(folder, { embedder }), 'bad-index')
    })

    it('finds the same when it is opened for batches, up to the last digits of the scores', async () => {
      const { docids, embedder: random } = randomVectors({ count: 2000, dimensions: 48 })
      const folder = await temporaryFolder()
      await (await buildFaiss(documentsOf(docids), { embedder: random })).save(folder)
      const texts = docids.slice(0, 300).map((docid) => ({ text: `near ${docid}`, round: 1 }))
      const [alike, batched] = await Promise.all(
        [false, true].map(async (batched) => {
          const retriever = await loadFaiss(folder, { embedder: random, batched })
          return await retriever.retrieve(texts, { k: 5 })
        }),
      )
      const found = batched!.map(({ hits }) => hits!.map(({ docid }) => docid))
      expect(found).toEqual(alike!.map(({ hits }) => hits!.map(({ docid }) => docid)))
      for (const [place, { hits }] of batched!.entries())
        for (const [rank, { score }] of hits!.entries())
          expect(score).toBeCloseTo(alike![place]!.hits![rank]!.score, 5)
    })

    it('is refused for an embedder of another size', async () => {
      const load = loadFaiss(await saved(), { embedder: hashEmbedder({ dimensions: 100 }) })
      await expectError(load, 'bad-index', '512')
    })
  })

  it('asks the native index for nothing that it has not', async () => {
    const library = await loadFaissLibrary()
    const index = newFaissIndex(library, 2, { type: 'flat' })
    const query = [Float32Array.of(1, 0)]
    expect(index.search(query, 5)).toEqual([[]])
    index.add([])
    index.add([Float32Array.of(0, 1)])
    for (const k of [0, -1, 0.5, Number.NaN]) expect(index.search(query, k)).toEqual([[]])
    expect(index.search(query, 5)).toEqual([[{ position: 0, score: 0 }]])
    expect(index.search([], 5)).toEqual([])

    const path = join(await temporaryFolder(), 'index')
    const seal = await index.write(path)
    const expected = { ...seal, dimensions: 2, count: 1, kind: { type: 'flat' } } as const
    await expectError(openFaissIndex(library, path, { ...expected, count: 2 }), 'bad-index', '1 vectors')
    await expect(openFaissIndex(library, path, expected)).resolves.toMatchObject({ count: 1 })
  })
})

async function search(retriever: OpenedFaiss, text: string, k = 10): Promise<readonly Hit[]> {
  const [leg] = await retriever.retrieve([{ text, round: 1 }], { k })
  return leg!.hits!
}

function documentsOf(docids: readonly string[]): Document[] {
  return docids.map((docid) => ({ docid, text: docid }))
}

/** An embedder that gives each docid a random vector, and `near <docid>` one beside it. */
function randomVectors({ count, dimensions }: { readonly count: number; readonly dimensions: number }) {
  const random = createRandom(7)
  const docids = Array.from({ length: count }, (_, index) => `v${index}`)
  const vectors = new Map<string, Float32Array>()
  for (const docid of docids) {
    vectors.set(docid, unit(Array.from({ length: dimensions }, () => random.float() - 0.5)))
  }
  const nearby = unit(Array.from({ length: dimensions }, () => random.float() - 0.5))
  const embedder: Embedder = {
    name: 'random',
    dimensions,
    embed: async (texts) =>
      texts.map((text) => {
        const exact = vectors.get(text)
        return (
          exact ?? unit([...vectors.get(text.replace('near ', ''))!].map((value, at) => value + nearby[at]!))
        )
      }),
  }
  return { docids, vectors, embedder }
}

function unit(values: readonly number[]): Float32Array {
  const length = Math.hypot(...values)
  return Float32Array.from(values, (value) => value / length)
}

function dot(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, at) => sum + value * b[at]!, 0)
}
