import { mkdir, readdir, readFile, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { buildIndex } from '../../src/index-folder/build.ts'
import { openIndex } from '../../src/index-folder/open.ts'
import type { Document } from '../../src/types.ts'
import { anError, expectError } from '../support/expect-error.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const rivers: readonly Document[] = [
  {
    docid: 'danube',
    title: 'Danube',
    text: 'The river flows through ten countries.\u2028It ends in the Black Sea.',
  },
  { docid: 'rhine', title: 'Rhine', text: 'The river begins in the Alps 🏔.', metadata: { length: 1230 } },
  { docid: '__proto__', text: '' },
]
const lakes: readonly Document[] = [{ docid: 'constance', text: 'A lake between three countries.' }]

/** The docids that the index in a folder finds for a text. */
async function found(folder: string, text: string): Promise<string[]> {
  const index = await openIndex(folder)
  try {
    const [leg] = await index.retrievers[0]!.retrieve([{ text, round: 1 }], { k: 10 })
    return leg!.hits!.map(({ docid }) => docid)
  } finally {
    await index.close()
  }
}

const generations = async (folder: string) =>
  (await readdir(folder)).filter((file) => file.startsWith('generation-'))

describe('buildIndex', () => {
  it.each([
    [{}, 'buildIndex: out'],
    [{ out: 'x', dense: {} }, 'buildIndex: dense'],
  ])('names an option that is wrong: %j', async (options, named) =>
    expectError(buildIndex(rivers, options as never), 'bad-config', named),
  )

  it('makes an index that finds and gives back the documents', async () => {
    const out = join(await temporaryFolder(), 'made', 'on the way')
    const { manifest } = await buildIndex(rivers, { out, bm25: { k1: 1.2 } })
    expect(manifest).toMatchObject({ format: 3, documents: 3, bm25: { k1: 1.2 } })
    expect(await found(out, 'alps')).toEqual(['rhine'])

    const index = await openIndex(out)
    expect(await index.documents.get(['rhine', 'nile', '__proto__', 'danube'])).toEqual([
      rivers[1],
      undefined,
      rivers[2],
      rivers[0],
    ])
    const all: Document[] = []
    for await (const document of index.documents.all()) all.push(document)
    expect(all).toEqual(rivers)
    const [hit] = await index.withDocuments([{ docid: 'danube', score: 1, rank: 1 }])
    expect(hit).toEqual({ docid: 'danube', score: 1, rank: 1, document: rivers[0] })
    await index.close()
  })

  it('replaces the index and removes the old one, and a reader of the old one keeps it', async () => {
    const out = await temporaryFolder()
    await buildIndex(rivers, { out })
    const reader = await openIndex(out)
    await buildIndex(lakes, { out })
    expect(await found(out, 'countries')).toEqual(['constance'])
    expect(await generations(out)).toHaveLength(1)

    const [leg] = await reader.retrievers[0]!.retrieve([{ text: 'countries', round: 1 }], { k: 10 })
    expect(leg!.hits!.map(({ docid }) => docid)).toEqual(['danube'])
    expect(await reader.documents.get(['danube'])).toEqual([rivers[0]])
    await reader.close()
  })

  it('leaves the old index alone when the new one fails, and nothing else behind', async () => {
    const out = await temporaryFolder()
    await buildIndex(rivers, { out })
    async function* failing() {
      yield lakes[0]!
      throw new Error('the corpus ended')
    }
    await expect(buildIndex(failing(), { out })).rejects.toThrow('the corpus ended')
    expect(await found(out, 'alps')).toEqual(['rhine'])
    expect((await readdir(out)).length).toBe(2)
  })

  it('stops when it is told to, with the reason that was given', async () => {
    const out = await temporaryFolder()
    const interrupt = new AbortController()
    async function* endless() {
      for (let number = 0; ; number++) {
        if (number === 1000) interrupt.abort(new Error('enough'))
        yield { docid: String(number), text: 'word' }
      }
    }
    await expect(buildIndex(endless(), { out, signal: interrupt.signal })).rejects.toThrow('enough')
    expect(await readdir(out)).toEqual([])
  })

  it('removes what a killed build left', async () => {
    const out = await temporaryFolder()
    await buildIndex(rivers, { out })
    await mkdir(join(out, 'generation-0123456789abcdef'))
    await writeFile(join(out, 'generation-mine'), 'not ours')
    await buildIndex(rivers, { out })
    expect((await generations(out)).sort()).toEqual([
      (await openAndClose(out)).manifest.generation,
      'generation-mine',
    ])
  })

  it('refuses a second build into the folder while one is going on', async () => {
    const out = await temporaryFolder()
    async function* whileAnotherBuilds() {
      yield rivers[0]!
      await expectError(buildIndex(lakes, { out }), 'bad-index', `process ${process.pid}`)
      yield rivers[1]!
    }
    await buildIndex(whileAnotherBuilds(), { out })
    expect((await openAndClose(out)).manifest.documents).toBe(2)
  })

  it('says which documents it cannot take', async () => {
    const out = await temporaryFolder()
    await expectError(buildIndex([], { out }), 'bad-document')
    await expectError(buildIndex([...lakes, ...lakes], { out }), 'bad-document', 'constance')
  })

  it('never writes over an index.json of somebody else', async () => {
    const out = await temporaryFolder()
    await writeFile(join(out, 'index.json'), '{"name": "theirs"}')
    await expectError(buildIndex(rivers, { out }), 'bad-index')
    expect(await readFile(join(out, 'index.json'), 'utf8')).toBe('{"name": "theirs"}')
  })

  it('leaves no folder that it made for nothing', async () => {
    const folder = await temporaryFolder()
    await expectError(
      buildIndex([], { out: join(folder, 'made', 'on the way') }),
      'bad-document',
      'no documents',
    )
    expect(await readdir(folder)).toEqual([])
  })

  it('says that a folder cannot be written', async () => {
    const file = join(await temporaryFolder(), 'file')
    await writeFile(file, '')
    await expectError(buildIndex(rivers, { out: file }), 'write-failed', file)
    await expectError(buildIndex(rivers, { out: join(file, 'below') }), 'write-failed')
  })

  it('gives equal corpora equal digests', async () => {
    const digest = async (documents: readonly Document[]) =>
      (await buildIndex(documents, { out: await temporaryFolder() })).manifest.corpus
    expect(await digest(rivers)).toBe(await digest([...rivers]))
    expect(await digest(rivers)).not.toBe(await digest(lakes))
  })
})

describe('openIndex', () => {
  it('says what can be pasted where there is a space in a path', async () => {
    const folder = join(await temporaryFolder(), "what's this")
    await expectError(openIndex(folder), 'missing-file', `--out '${folder.replace("'", "'\\''")}'`)
  })

  it('says what is wrong with a manifest once and in words', async () => {
    const out = await temporaryFolder()
    await writeFile(join(out, 'index.json'), '[]')
    const error = await openIndex(out).catch((thrown: unknown) => thrown)
    expect(error).toEqual(anError('bad-index', out))
    expect(error).not.toHaveProperty('cause')
  })

  it('says how to make an index where there is none', async () => {
    const folder = await temporaryFolder()
    await expectError(openIndex(folder), 'missing-file', `querent index <corpus> --out ${folder}`)
  })

  it('says how to make the retriever that the index has not', async () => {
    const out = await temporaryFolder()
    await buildIndex(rivers, { out })
    await expectError(openIndex(out, { retrievers: ['dense'] }), 'bad-index', '--dense')
    await expectError(openIndex(out, { retrievers: ['sparse'] }), 'bad-config', /bm25/)
  })

  it.each([
    ['another format', '{"format": 4, "querent": "9.0.0"}', 'format 4'],
    ['an older format', '{"format": 2, "querent": "0.1.0"}', 'format 2'],
    ['a cut manifest', '{"format": 3, "que', 'not JSON'],
    ['a manifest without a key', '{"format": 3, "querent": "0.1.0"}', 'generation'],
  ])('refuses %s, which can be made again in place', async (_name, content, message) => {
    const out = await temporaryFolder()
    await writeFile(join(out, 'index.json'), content)
    await expectError(openIndex(out), 'bad-index', message)
    await buildIndex(rivers, { out })
    expect(await found(out, 'alps')).toEqual(['rhine'])
  })

  it.each(['[]', '{"docids": ["a"', '{"docids": ["a", "b"], "positions": [0, 9, 3]}'])(
    'refuses documents whose positions became %s',
    async (content) => {
      const out = await temporaryFolder()
      const { manifest } = await buildIndex(rivers, { out })
      const file = `${manifest.generation}/documents.positions.json`
      // Of the same size, as a bad disk leaves it.
      await writeFile(join(out, file), content.padEnd(manifest.files[file]!))
      await expectError(openIndex(out), 'bad-index', /positions\.json/)
    },
  )

  it('refuses a document that was changed', async () => {
    const out = await temporaryFolder()
    const { manifest } = await buildIndex(rivers, { out })
    const path = join(out, manifest.generation, 'documents.jsonl')
    await writeFile(path, (await readFile(path, 'utf8')).replace('{"docid":"rhine"', '{"docid":"rhone"'))
    const index = await openIndex(out)
    await expectError(index.documents.get(['rhine']), 'bad-index', /documents\.jsonl: line 2/)
    await index.close()
  })

  it('refuses an index with a file that was cut', async () => {
    const out = await temporaryFolder()
    const { manifest } = await buildIndex(rivers, { out })
    for (const [file, bytes] of Object.entries(manifest.files)) {
      const path = join(out, file)
      const content = await readFile(path)
      await truncate(path, bytes - 1)
      await expectError(openIndex(out), 'bad-index', file)
      await writeFile(path, content)
    }
    await (await openIndex(out)).close()
  })
})

async function openAndClose(folder: string) {
  const index = await openIndex(folder)
  await index.close()
  return index
}
