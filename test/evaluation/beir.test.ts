import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  readCorpus,
  readQueries,
  writeBeirQrels,
  writeCorpus,
  writeQueries,
} from '../../src/evaluation/beir.ts'
import type { Document, Query } from '../../src/types.ts'
import { anyText } from '../support/any-text.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'querent-beir-'))
})
afterAll(() => rm(folder, { recursive: true }))

const lines = (...records: readonly unknown[]): string =>
  records.map((record) => JSON.stringify(record)).join('\n')
const corpus = (text: string): Promise<Document[]> =>
  collect(readCorpus({ name: 'c.jsonl', bytes: [Buffer.from(text)] }))
const queries = (text: string): Promise<Query[]> =>
  readQueries({ name: 'q.jsonl', bytes: [Buffer.from(text)] })

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const list: Item[] = []
  for await (const item of items) list.push(item)
  return list
}

describe('readCorpus', () => {
  it('takes what BEIR writes, and what is missing as empty', async () => {
    const text = lines(
      { _id: 'a', title: 'T', text: 'one', metadata: { url: 'u', nested: [1, null] } },
      { _id: 'b', title: null, text: null, metadata: null },
      { _id: 'c', other: true },
      { _id: 7, title: 1984, text: 3.5 },
    )
    expect(await corpus(text)).toEqual([
      { docid: 'a', title: 'T', text: 'one', metadata: { url: 'u', nested: [1, null] } },
      { docid: 'b', text: '' },
      { docid: 'c', text: '' },
      { docid: '7', title: '1984', text: '3.5' },
    ])
  })

  it('gives documents before it has read all of them', async () => {
    const first = `${lines({ _id: 'a', text: 'one' })}\n`
    async function* endless(): AsyncGenerator<Uint8Array> {
      yield Buffer.from(first)
      await new Promise(() => {})
    }
    for await (const document of readCorpus({ name: 'stdin', bytes: endless() })) {
      expect(document.docid).toBe('a')
      break
    }
  })

  it('reads a document of a megabyte', async () => {
    const text = 'ü'.repeat(2 ** 20)
    expect((await corpus(lines({ _id: 'a', text })))[0]?.text).toBe(text)
  })

  it.each([
    ['{"_id": "a"', 'c.jsonl:1: the line is not JSON'],
    ['[]', 'c.jsonl:1: the line is wrong'],
    ['null', 'c.jsonl:1: the line is wrong'],
    ['{"text": "x"}', 'c.jsonl:1: the field "_id"'],
    ['{"_id": "", "text": "x"}', 'c.jsonl:1: the field "_id"'],
    ['{"_id": 1.5, "text": "x"}', 'c.jsonl:1: the field "_id"'],
    ['{"_id": 9007199254740993, "text": "x"}', 'c.jsonl:1: the field "_id"'],
    ['{"_id": "a"}\n{"_id": "b", "title": ["x"]}', 'c.jsonl:2: the field "title"'],
    ['{"_id": "a", "text": {"en": "x"}}', 'c.jsonl:1: the field "text"'],
    ['{"_id": "a", "metadata": "x"}', 'c.jsonl:1: the field "metadata"'],
    ['{"_id": "a"}\n{"_id": "b"}\n{"_id": "a"}', 'c.jsonl:3: the docid "a" came before, in line 1'],
  ])('refuses %s', async (text, message) => {
    await expect(corpus(text)).rejects.toMatchObject({
      code: 'bad-document',
      message: expect.stringContaining(message),
    })
  })
})

describe('readQueries', () => {
  it('takes identifiers of either name and the conversation', async () => {
    const text = lines(
      { _id: 'a', text: 'one', metadata: { answer: 'x' } },
      { qid: 2, text: 'two', metadata: { history: [] } },
      {
        _id: 'c',
        text: 'three',
        metadata: {
          history: [
            { role: 'user', text: 'u' },
            { role: 'assistant', text: 'v' },
            { role: 'agent', text: 'w' },
          ],
        },
      },
    )
    expect(await queries(text)).toEqual([
      { qid: 'a', text: 'one' },
      { qid: '2', text: 'two' },
      {
        qid: 'c',
        text: 'three',
        history: [
          { role: 'user', text: 'u' },
          { role: 'agent', text: 'v' },
          { role: 'agent', text: 'w' },
        ],
      },
    ])
  })

  it.each([
    ['', 'q.jsonl is empty'],
    ['{', 'q.jsonl:1: the line is not JSON'],
    ['{"text": "x"}', 'q.jsonl:1: the query has no "_id"'],
    ['{"_id": "a"}', 'q.jsonl:1: the field "text" is wrong: it is empty'],
    ['{"_id": "a", "text": " "}', 'q.jsonl:1: the field "text" is wrong: it is empty'],
    [
      '{"_id": "a", "text": "x", "metadata": {"history": [{"text": "y"}]}}',
      'q.jsonl:1: the field "metadata.history.0.role"',
    ],
    ['{"_id": "a", "text": "x"}\n{"_id": "a", "text": "y"}', 'q.jsonl:2: the qid "a" came before, in line 1'],
  ])('refuses %s', async (text, message) => {
    await expect(queries(text)).rejects.toMatchObject({
      code: 'bad-file',
      message: expect.stringContaining(message),
    })
  })
})

describe('what is written is what is read', () => {
  const id = anyText(1)
  const text = anyText()

  it('documents', async () => {
    const document = fc.record(
      {
        docid: id,
        title: text.filter((title) => title !== ''),
        text,
        // `__proto__` is no key that metadata may have: it is left out when they are read.
        metadata: fc.dictionary(
          fc.string().filter((key) => key !== '__proto__'),
          fc.integer(),
        ),
      },
      { requiredKeys: ['docid', 'text'] },
    )
    const path = join(folder, 'corpus.jsonl.gz')
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(document, { selector: ({ docid }) => docid }), async (documents) => {
        await writeCorpus(path, documents)
        expect(await collect(readCorpus(path))).toEqual(JSON.parse(JSON.stringify(documents)))
      }),
    )
  })

  it('queries', async () => {
    const turn = fc.record({ role: fc.constantFrom('user' as const, 'agent' as const), text })
    const query = fc.record(
      { qid: id, text: text.filter((words) => /\S/.test(words)), history: fc.array(turn, { minLength: 1 }) },
      { requiredKeys: ['qid', 'text'] },
    )
    const path = join(folder, 'queries.jsonl')
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(query, { minLength: 1, selector: ({ qid }) => qid }), async (list) => {
        await writeQueries(path, list)
        expect(await readQueries(path)).toEqual(JSON.parse(JSON.stringify(list)))
      }),
    )
  })
})

describe('writers', () => {
  it('refuse a query without qid', async () => {
    const written = writeQueries(join(folder, 'no.jsonl'), [{ text: 'x' }])
    await expect(written).rejects.toMatchObject({ code: 'bad-document' })
  })

  it('pass on what the documents throw', async () => {
    async function* broken(): AsyncGenerator<Document> {
      yield { docid: 'a', text: '' }
      throw new RangeError('broken')
    }
    await expect(writeCorpus(join(folder, 'no.jsonl'), broken())).rejects.toThrow(RangeError)
  })

  it('write judgments with the heading', async () => {
    const path = join(folder, 'qrels.tsv')
    await writeBeirQrels(path, new Map([['q 1', new Map([['"a"', 1]])]]))
    expect(await readFile(path, 'utf8')).toBe('query-id\tcorpus-id\tscore\nq 1\t"""a"""\t1\n')
  })
})
