import { appendFile, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { buildIndex } from '../../src/index-folder/build.ts'
import { openIndex } from '../../src/index-folder/open.ts'
import { updateIndex } from '../../src/index-folder/update.ts'
import type { Document } from '../../src/types.ts'
import { expectError } from '../support/expect-error.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const words = ['ash', 'birch', 'cedar', 'elm', 'fir', 'oak']

const rivers: readonly Document[] = [
  { docid: 'danube', text: 'It flows through ten countries to the Black Sea.' },
  { docid: 'rhine', text: 'It begins in the Alps.', metadata: { length: 1230 } },
  { docid: 'elbe', text: 'It begins in the Giant Mountains.', metadata: { length: 1094 } },
]

/** What an index answers: all its documents, and the hits of each word, of all words and of a filtered search. */
async function answersOf(out: string) {
  const index = await openIndex(out)
  try {
    const documents: Document[] = []
    for await (const document of index.documents.all()) documents.push(document)
    const [bm25] = index.retrievers
    const subQueries = [...words, words.join(' ')].map((text) => ({ text, round: 1 }))
    const legs = await bm25!.retrieve(subQueries, { k: 100 })
    const filtered = await bm25!.retrieve(subQueries, { k: 100, filter: { even: true } })
    const found = await index.documents.get([...documents.map(({ docid }) => docid), 'unknown'])
    return { size: index.documents.size, documents, found, legs, filtered }
  } finally {
    await index.close()
  }
}

async function search(out: string, text: string): Promise<string[]> {
  const index = await openIndex(out)
  try {
    const [leg] = await index.retrievers[0]!.retrieve([{ text, round: 1 }], { k: 10 })
    return leg!.hits!.map(({ docid }) => docid)
  } finally {
    await index.close()
  }
}

async function builtRivers(): Promise<string> {
  const out = await temporaryFolder()
  await buildIndex(rivers, { out })
  return out
}

const docid = fc.integer({ min: 0, max: 14 }).map((number) => `d${number}`)
const document = fc
  .record({ docid, words: fc.array(fc.constantFrom(...words), { maxLength: 12 }), even: fc.boolean() })
  .map((one): Document => ({ docid: one.docid, text: one.words.join(' '), metadata: { even: one.even } }))
const documents = fc.uniqueArray(document, { selector: (one) => one.docid, maxLength: 8 })
const change = fc.record({ add: documents, remove: fc.uniqueArray(docid, { maxLength: 6 }) })

describe('updateIndex', () => {
  it("leaves an error of what it reads as it is, also one of the file system, and the folder's is the folder's", async () => {
    const out = await builtRivers()
    const failed = Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' })
    async function* add(): AsyncGenerator<Document> {
      yield rivers[0]!
      throw failed
    }
    await expect(updateIndex({ out, add: add() })).rejects.toBe(failed)
    await expect(buildIndex(add(), { out })).rejects.toBe(failed)
    await writeFile(join(out, 'file'), '')
    await expectError(buildIndex(rivers, { out: join(out, 'file') }), 'write-failed')
  })

  it('answers as an index that was built of the documents that are left', async () => {
    await fc.assert(
      fc.asyncProperty(
        documents.filter((all) => all.length > 0),
        fc.array(change, { minLength: 1, maxLength: 6 }),
        async (first, changes) => {
          const out = await temporaryFolder()
          await buildIndex(first, { out, bm25: { k1: 1.1, fields: { title: 2 } } })
          const left = new Map(first.map((one) => [one.docid, one]))
          for (const { add, remove } of changes) {
            const after = new Map(left)
            const known = remove.filter((one) => after.delete(one)).length
            const replaced = add.filter((one) => after.delete(one.docid)).length
            for (const one of add) after.set(one.docid, one)
            if (after.size === 0) {
              await expectError(updateIndex({ out, add, remove }), 'bad-document')
              continue
            }
            expect(await updateIndex({ out, add, remove })).toMatchObject({
              added: add.length - replaced,
              replaced,
              removed: known,
              unknown: remove.length - known,
              manifest: { documents: after.size },
            })
            left.clear()
            for (const [key, one] of after) left.set(key, one)
          }
          const rebuilt = await temporaryFolder()
          await buildIndex([...left.values()], { out: rebuilt, bm25: { k1: 1.1, fields: { title: 2 } } })
          expect(await answersOf(out)).toEqual(await answersOf(rebuilt))
        },
      ),
      // Each writes to disk many times. With vectors and more often: test/live/update.test.ts.
      { numRuns: 4 },
    )
  })

  it('replaces, adds and deletes, and counts what it did', async () => {
    const out = await builtRivers()
    const result = await updateIndex({
      out,
      add: [
        { docid: 'rhine', text: 'It ends in the North Sea.' },
        { docid: 'oder', text: 'It ends in the Baltic Sea.' },
        { docid: 'elbe', text: 'It flows through Hamburg.' },
      ],
      remove: ['danube', 'elbe', 'nile', 'nile'],
    })
    expect(result).toMatchObject({ added: 2, replaced: 1, removed: 2, unknown: 1, embedded: 0 })
    expect(await search(out, 'sea')).toEqual(['oder', 'rhine'])
    expect(await search(out, 'alps mountains countries')).toEqual([])
    expect(await search(out, 'hamburg')).toEqual(['elbe'])
  })

  it('changes nothing if there is nothing to change', async () => {
    const out = await builtRivers()
    const before = await readFile(join(out, 'index.json'), 'utf8')
    const { manifest, ...counts } = await updateIndex({ out, remove: ['nile'] })
    expect(counts).toEqual({ added: 0, replaced: 0, removed: 0, unknown: 1, embedded: 0, pending: 0 })
    expect(await readFile(join(out, 'index.json'), 'utf8')).toBe(before)
    expect((await readdir(out)).sort()).toEqual([manifest.generation, 'index.json'])
  })

  it('leaves the index alone if it fails, and nothing else behind', async () => {
    const out = await builtRivers()
    const before = await readFile(join(out, 'index.json'), 'utf8')
    async function* failing() {
      yield { docid: 'oder', text: 'It ends in the Baltic Sea.' }
      throw new Error('the corpus ended')
    }
    await expect(updateIndex({ out, add: failing() })).rejects.toThrow('the corpus ended')
    await expectError(updateIndex({ out, remove: ['danube', 'rhine', 'elbe'] }), 'bad-document')
    await expectError(updateIndex({ out, add: [rivers[0]!, rivers[0]!] }), 'bad-document')
    expect(await readFile(join(out, 'index.json'), 'utf8')).toBe(before)
    expect(await readdir(out)).toHaveLength(2)
  })

  it('keeps what a reader of the old index has opened', async () => {
    const out = await builtRivers()
    const reader = await openIndex(out)
    for (let number = 0; number < 5; number++)
      await updateIndex({ out, add: [{ docid: `new ${number}`, text: 'sea' }], remove: ['danube'] })
    const [leg] = await reader.retrievers[0]!.retrieve([{ text: 'countries', round: 1 }], { k: 10 })
    expect(leg!.hits!.map((hit) => hit.docid)).toEqual(['danube'])
    expect(await reader.documents.get(['danube'])).toEqual([rivers[0]])
    await reader.close()
  })

  it('keeps deleted texts until a vacuum, after which it answers the same', async () => {
    const out = await temporaryFolder()
    const old = Array.from({ length: 4 }, (_, number) => ({ docid: `old ${number}`, text: 'ash secret' }))
    await buildIndex(old, { out })
    for (const number of [0, 1, 2]) {
      const add = [{ docid: `new ${number}`, text: 'birch ash' }]
      const { pending } = await updateIndex({ out, add, remove: [`old ${number}`] })
      expect(pending).toBe(2 * (number + 1))
    }
    const holdsSecrets = async () => {
      const files = (await readdir(out, { recursive: true, withFileTypes: true })).filter((one) =>
        one.isFile(),
      )
      const texts = await Promise.all(files.map((one) => readFile(join(one.parentPath, one.name), 'latin1')))
      return texts.filter((text) => text.includes('secret')).length > 0
    }
    const found = await search(out, 'birch ash')
    expect(await holdsSecrets()).toBe(true)
    const { manifest, pending } = await updateIndex({ out, remove: ['old 3'], vacuum: true })
    expect(pending).toBe(0)
    expect(await holdsSecrets()).toBe(false)
    expect((await readdir(out)).sort()).toEqual([manifest.folder, 'index.json'])
    expect(await search(out, 'birch ash')).toEqual(found.filter((docid) => docid !== 'old 3'))
    // Nothing has changed since.
    expect((await updateIndex({ out, vacuum: true })).manifest).toEqual(manifest)
  })

  it('takes no notice of what a killed update has appended', async () => {
    const out = await builtRivers()
    const { manifest } = await updateIndex({
      out,
      add: [{ docid: 'oder', text: 'It ends in the Baltic Sea.' }],
    })
    await appendFile(join(out, manifest.folder, 'documents.jsonl'), '{"deleted":"rhine"}\n{"docid":"we')
    expect(await search(out, 'alps baltic')).toEqual(['rhine', 'oder'])
    await updateIndex({ out, remove: ['elbe'] })
    expect(await search(out, 'alps baltic mountains')).toEqual(['rhine', 'oder'])
  })

  it('refuses appended documents that were changed', async () => {
    const out = await builtRivers()
    const { manifest } = await updateIndex({ out, remove: ['elbe'] })
    const path = join(out, manifest.folder, 'documents.jsonl')
    await writeFile(path, (await readFile(path, 'utf8')).replace('{"deleted"', '"deleted" '))
    await expectError(openIndex(out), 'bad-index', /documents\.jsonl/)
  })

  it('needs an index', async () => {
    await expectError(updateIndex({ out: await temporaryFolder(), add: rivers }), 'missing-file')
  })
})
