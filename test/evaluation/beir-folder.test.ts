import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeEach, describe, expect, it } from 'vitest'
import { findCorpus, readBeir } from '../../src/evaluation/beir-folder.ts'
import { expectError } from '../support/expect-error.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

let folder: string
beforeEach(async () => {
  folder = await temporaryFolder()
})

/** Files that hold one query or one judgment, named after themselves. */
async function given(...names: readonly string[]): Promise<void> {
  for (const name of names) {
    const path = join(folder, name)
    const text = name.startsWith('qrels') ? `${name}\td\t1\n` : `{"_id": "${name}", "text": "x"}\n`
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, name.endsWith('.gz') ? gzipSync(text) : text)
  }
}

/** The names of the files that were read: by what they held, and by what `files` says. */
async function taken(options: Parameters<typeof readBeir>[1] = {}): Promise<string[]> {
  const { queries, qrels, files } = await readBeir(folder, options)
  const names = [queries[0]!.qid!, [...qrels.keys()][0]!]
  expect([files.queries, files.qrels]).toEqual(names.map((name) => join(folder, name)))
  return names
}

describe('readBeir', () => {
  it('takes the test split of a folder of judgments', async () => {
    await given('queries.jsonl', 'qrels/test.tsv', 'qrels/train.tsv')
    expect(await taken()).toEqual(['queries.jsonl', 'qrels/test.tsv'])
    expect(await taken({ split: 'train' })).toEqual(['queries.jsonl', 'qrels/train.tsv'])
  })

  it('takes queries of the same split where the judgments stand beside them', async () => {
    await given('queries.jsonl', 'qrels.tsv', 'queries.train.jsonl', 'qrels.train.tsv', 'qrels.dev.tsv')
    expect(await taken()).toEqual(['queries.jsonl', 'qrels.tsv'])
    expect(await taken({ split: 'test' })).toEqual(['queries.jsonl', 'qrels.tsv'])
    expect(await taken({ split: 'train' })).toEqual(['queries.train.jsonl', 'qrels.train.tsv'])
    expect(await taken({ split: 'dev' })).toEqual(['queries.jsonl', 'qrels.dev.tsv'])
  })

  it('prefers the folder of judgments, and files named after the split', async () => {
    await given('queries.jsonl', 'queries.test.jsonl', 'qrels.tsv', 'qrels.test.tsv')
    expect(await taken()).toEqual(['queries.test.jsonl', 'qrels.test.tsv'])
    await given('qrels/test.tsv')
    expect(await taken()).toEqual(['queries.jsonl', 'qrels/test.tsv'])
  })

  it('reads packed files', async () => {
    await given('queries.jsonl.gz', 'qrels.tsv.gz')
    expect(await taken()).toEqual(['queries.jsonl.gz', 'qrels.tsv.gz'])
  })

  it('takes the files that are given instead', async () => {
    await given('queries.jsonl', 'qrels.tsv', 'queries.other.jsonl', 'qrels.other.tsv')
    const queries = join(folder, 'queries.other.jsonl')
    const qrels = join(folder, 'qrels.other.tsv')
    expect(await taken({ queries })).toEqual(['queries.other.jsonl', 'qrels.tsv'])
    expect(await taken({ qrels })).toEqual(['queries.jsonl', 'qrels.other.tsv'])
    const { files } = await readBeir('no-such-folder', { queries, qrels })
    expect(files).toEqual({ split: 'test', queries, qrels })
  })

  it('lists the splits that exist where the one asked for does not', async () => {
    await given('queries.jsonl', 'qrels.tsv', 'qrels.train.tsv', 'qrels/dev.tsv.gz')
    await expectError(readBeir(folder, { split: 'tset' }), 'bad-config', /"tset".*dev, test, train/)
  })

  it('lists them for a folder that has no queries of the split either', async () => {
    await given('queries.dev.jsonl', 'qrels.dev.tsv')
    await expectError(readBeir(folder), 'bad-config', /: dev\./)
  })

  it('says what is missing', async () => {
    await expectError(readBeir(join(folder, 'none')), 'missing-file')
    await given('corpus.jsonl')
    await expectError(readBeir(folder), 'missing-file')
    await given('qrels.tsv')
    await expectError(readBeir(folder), 'missing-file', /queries\.test\.jsonl or queries\.jsonl/)
  })
})

describe('findCorpus', () => {
  it('takes the plain or the packed file', async () => {
    await expectError(findCorpus(folder), 'missing-file')
    await given('corpus.jsonl.gz')
    expect(await findCorpus(folder)).toBe(join(folder, 'corpus.jsonl.gz'))
    await given('corpus.jsonl')
    expect(await findCorpus(folder)).toBe(join(folder, 'corpus.jsonl'))
  })
})
