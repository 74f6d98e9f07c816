/** Random updates of an index with words and vectors, against an index that is built of the documents that are left. */
import { rm, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { loadFaissLibrary } from '../../adapters/search/faiss-library.ts'
import { buildIndex } from '../../src/index-folder/build.ts'
import { openIndex } from '../../src/index-folder/open.ts'
import { updateIndex } from '../../src/index-folder/update.ts'
import type { Document } from '../../src/types.ts'
import { expectError } from '../support/expect-error.ts'
import { hashEmbedder } from '../support/hash-embedder.ts'
import { seed } from '../support/seed.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { isFull } from '../support/tier.ts'

const missing = await loadFaissLibrary().then(
  () => '',
  (error: Error) => error.message,
)

const words = ['ash', 'birch', 'cedar', 'elm', 'fir', 'oak']
const texts = [...words, words.join(' ')]

async function answersOf(out: string) {
  const index = await openIndex(out, { embedder: async () => hashEmbedder() })
  try {
    const documents: Document[] = []
    for await (const document of index.documents.all()) documents.push(document)
    const subQueries = texts.map((text) => ({ text, round: 1 }))
    const answers = []
    for (const retriever of index.retrievers)
      for (const filter of [undefined, { even: true }])
        for (const k of [3, 100])
          answers.push(await retriever.retrieve(subQueries, { k, ...(filter && { filter }) }))
    return { documents, answers }
  } finally {
    await index.close()
  }
}

const docid = fc.integer({ min: 0, max: 39 }).map((number) => `d${number}`)
const document = fc
  .record({ docid, words: fc.array(fc.constantFrom(...words), { maxLength: 12 }), even: fc.boolean() })
  .map((one): Document => ({ docid: one.docid, text: one.words.join(' '), metadata: { even: one.even } }))
const documents = fc.uniqueArray(document, { selector: (one) => one.docid, maxLength: 20 })
const change = fc.record({
  add: fc.option(documents, { nil: undefined }),
  remove: fc.uniqueArray(docid, { maxLength: 15 }),
})

/** Applies changes to a Map as `updateIndex` should to an index. Returns undefined if nothing would be left. */
function changed(left: ReadonlyMap<string, Document>, add: readonly Document[], remove: readonly string[]) {
  const after = new Map(left)
  for (const one of [...remove, ...add.map((added) => added.docid)]) after.delete(one)
  for (const one of add) after.set(one.docid, one)
  return after.size === 0 ? undefined : after
}

describe.skipIf(missing !== '')(`updates (needs faiss-node: ${missing})`, () => {
  it('answer as an index that was built of the documents that are left, and embed only new texts', async () => {
    await fc.assert(
      fc.asyncProperty(
        documents,
        fc.array(change, { minLength: 1, maxLength: 8 }),
        async (first, changes) => {
          fc.pre(first.length > 0)
          const out = await temporaryFolder()
          const dense = hashEmbedder()
          await buildIndex(first, { out, dense })
          let left: ReadonlyMap<string, Document> = new Map(first.map((one) => [one.docid, one]))
          for (const { add, remove } of changes) {
            const after = changed(left, add ?? [], remove)
            const calls = dense.calls.length
            const updating = updateIndex({ out, remove, ...(add && { add, dense }) })
            if (after === undefined) await expectError(updating, 'bad-document')
            else await updating
            const asked = dense.calls.slice(calls).flatMap((call) => call.texts)
            const added = new Set(add?.map(({ text }) => text))
            for (const { text } of left.values()) added.delete(text)
            expect(asked.length).toBe(new Set(asked).size)
            for (const text of asked) expect(added).toContain(text)
            left = after ?? left
          }

          const rebuilt = await temporaryFolder()
          await buildIndex([...left.values()], { out: rebuilt, dense: hashEmbedder() })
          expect(await answersOf(out)).toEqual(await answersOf(rebuilt))
        },
      ),
      { numRuns: isFull ? 50 : 10, seed },
    )
  })

  it('search a graph with what was added with HNSW, without deleted documents', async () => {
    const out = await temporaryFolder()
    const dense = hashEmbedder()
    const textOf = (number: number) => `one${number} two${number} three${number}`
    const numbered = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, place) => ({
        docid: `d${from + place}`,
        text: textOf(from + place),
      }))
    await buildIndex(numbered(0, 100), { out, dense, hnsw: { efSearch: 64 } })
    await updateIndex({ out, dense, add: numbered(100, 110), remove: ['d5'] })
    await updateIndex({ out, dense, add: numbered(110, 112), remove: ['d105'] })
    const index = await openIndex(out, { retrievers: ['dense'], embedder: async () => dense })
    const nearest = async (text: string) => {
      const [leg] = await index.retrievers[0]!.retrieve([{ text, round: 1 }], { k: 1 })
      return leg!.hits![0]
    }
    for (const number of [0, 99, 100, 111])
      expect(await nearest(textOf(number))).toMatchObject({ docid: `d${number}` })
    for (const number of [5, 105]) expect((await nearest(textOf(number)))!.score).toBeLessThan(0.9)
    await index.close()
  })

  it('are refused with another model, and without one', async () => {
    const out = join(await temporaryFolder(), 'index')
    const dense = hashEmbedder()
    const [one, other] = [
      { docid: 'a', text: 'ash' },
      { docid: 'b', text: 'birch' },
    ]
    await buildIndex([one, other], { out, dense })
    await expectError(updateIndex({ out, add: [one] }), 'bad-config')
    await expectError(updateIndex({ out, add: [one], dense: hashEmbedder({ dimensions: 64 }) }), 'bad-index')
    await expectError(updateIndex({ out, add: [one], dense, identity: 'other weights' }), 'bad-index')
    expect(await updateIndex({ out, remove: ['b'] })).toMatchObject({ removed: 1 })

    const { manifest } = await updateIndex({ out, add: [other], dense })
    await truncate(join(out, manifest.dense!.journal))
    await expectError(openIndex(out, { embedder: async () => dense }), 'bad-index')
    await rm(join(out, manifest.dense!.journal))
    await expectError(openIndex(out, { embedder: async () => dense }), 'bad-index')

    const words = await temporaryFolder()
    await buildIndex([one], { out: words })
    await expectError(updateIndex({ out: words, add: [other], dense }), 'bad-config')
  })
})
