/** Making an index on a real cluster: stopped, killed and repeated, nothing is lost, twice, or embedded again. */
import { describe, expect, it } from 'vitest'
import { buildClusterIndex } from '../../adapters/search/cluster/build.ts'
import type { Cluster } from '../../adapters/search/cluster/cluster.ts'
import { clusterDocuments } from '../../adapters/search/cluster/documents.ts'
import type { Document } from '../../src/types.ts'
import { library } from '../adapters/search/conformance.ts'
import { expectError } from '../support/expect-error.ts'
import { hashEmbedder } from '../support/hash-embedder.ts'
import { testIndexName } from './test-index.ts'

const numbered = (count: number): Document[] =>
  Array.from({ length: count }, (_, number) => ({
    docid: `n${number}`,
    title: `N ${number}`,
    text: `number ${number}`,
  }))

export function describeEngineBuild(engine: Cluster): void {
  describe(`an index on ${engine.kind}`, () => {
    const contents = async (index: string) => {
      const found: Document[] = []
      for await (const document of clusterDocuments(engine, { index }).all()) found.push(document)
      return found.sort((a, b) => (a.docid < b.docid ? -1 : 1))
    }

    it('is written once, however often it is asked for', async () => {
      const index = testIndexName(engine)
      expect(await buildClusterIndex(engine, library, { index })).toEqual({
        documents: 6,
        written: 6,
        indexed: 6,
      })
      expect(await buildClusterIndex(engine, library, { index })).toEqual({
        documents: 6,
        written: 0,
        indexed: 6,
      })
      expect(await contents(index)).toEqual(library)
    })

    it('goes on where it was stopped', async () => {
      const index = testIndexName(engine)
      const controller = new AbortController()
      const reason = new Error('enough')
      const documents = numbered(1700)
      const stopped = buildClusterIndex(engine, documents, {
        index,
        signal: controller.signal,
        onProgress: (done) => done >= 1000 && controller.abort(reason),
      })
      await expect(stopped).rejects.toBe(reason)
      const built = await buildClusterIndex(engine, documents, { index })
      expect(built).toMatchObject({ documents: 1700, indexed: 1700 })
      expect(built.written).toBeLessThanOrEqual(700)
      expect(await contents(index)).toHaveLength(1700)
    })

    it('replaces what has changed, adds what is new, and says what the corpus has no more', async () => {
      const index = testIndexName(engine)
      await buildClusterIndex(engine, library, { index })
      const changed = [
        { ...library[0]!, text: 'The lighthouse is dark.' },
        { ...library[1]!, metadata: { year: 1904 } },
        ...library.slice(2, 5),
        { docid: 'd7', text: 'new' },
      ]
      const built = await buildClusterIndex(engine, changed, { index })
      expect(built).toEqual({ documents: 6, written: 3, indexed: 7 })
      expect((await contents(index)).map(({ docid, text }) => [docid, text])).toEqual(
        [...changed.slice(0, 5), library[5]!, changed[5]!].map(({ docid, text }) => [docid, text]),
      )
    })

    it('is refused where it was made by somebody else, and left as it is', async () => {
      const index = testIndexName(engine)
      await engine.send({ name: 'indices.create', method: 'PUT', path: `/${index}`, body: {} })
      const build = buildClusterIndex(engine, library, { index })
      await expectError(build, 'bad-index', index)
      expect(await contents(index)).toEqual([])
    })

    it('is not written further than to a document that the engine refuses', async () => {
      const index = testIndexName(engine)
      const long = { docid: 'x'.repeat(600), text: 'its id is too long' }
      await expect(buildClusterIndex(engine, [...library, long], { index })).rejects.toMatchObject({
        name: 'ResponseError',
        statusCode: 400,
      })
    })

    it('names the first of the documents that do not fit the mapping', async () => {
      const index = testIndexName(engine)
      await buildClusterIndex(engine, library, { index })
      const bad = { id: 'bad', source: { title: { not: 'a text' } } }
      const good = { id: 'good', source: { title: 'a text' } }
      const write = engine.write(index, [good, bad, { ...bad, id: 'worse' }])
      await expectError(write, 'retriever-failed', /2 of the 3 .*"bad"/)
      await expect(write).rejects.toMatchObject({
        code: 'retriever-failed',
        cause: { name: 'ResponseError' },
      })
    })
  })
}

/** What becomes of vectors, on a server that has them. */
export function describeVectorBuild(engine: Cluster): void {
  describe(`vectors of an index on ${engine.kind}`, () => {
    it('are computed once for each document', async () => {
      const index = testIndexName(engine)
      const controller = new AbortController()
      const documents = numbered(300)
      const embedder = hashEmbedder({ dimensions: 64 })
      const stopped = buildClusterIndex(engine, documents, {
        index,
        dense: embedder,
        signal: controller.signal,
        onProgress: (done) => done >= 150 && controller.abort(),
      })
      await expect(stopped).rejects.toMatchObject({ name: 'AbortError' })
      await buildClusterIndex(engine, documents, { index, dense: embedder })
      await buildClusterIndex(engine, documents, { index, dense: embedder })
      const embedded = embedder.calls.flatMap(({ texts }) => texts)
      expect(embedded).toHaveLength(300)
      expect(new Set(embedded)).toEqual(new Set(documents.map(({ title, text }) => `${title} ${text}`)))
      expect(new Set(embedder.calls.map(({ kind }) => kind))).toEqual(new Set(['document']))
    })

    it.each([
      ['other ones', hashEmbedder(), { ...hashEmbedder(), name: 'other' }, 'hash'],
      ['ones of another size', hashEmbedder(), hashEmbedder({ dimensions: 64 }), '512 dimensions'],
      ['none', hashEmbedder(), undefined, ''],
      ['some, where there were none', undefined, hashEmbedder(), ''],
    ])('are not mixed with %s', async (_, first, second, message) => {
      const index = testIndexName(engine)
      await buildClusterIndex(engine, library, { index, dense: first })
      const build = buildClusterIndex(engine, library, { index, dense: second })
      await expectError(build, 'bad-index', message)
    })
  })
}
