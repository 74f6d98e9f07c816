import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type CorpusOddity, type CorpusOptions, readCorpus } from '../../src/evaluation/corpus.ts'
import type { Document } from '../../src/types.ts'
import { anyText } from '../support/any-text.ts'
import { expectError } from '../support/expect-error.ts'
import { allOf, sourceOf } from '../support/lines-of.ts'

const lines = (...records: readonly unknown[]): string =>
  records.map((record) => JSON.stringify(record)).join('\n')
const read = (name: string, bytes: Buffer, options?: CorpusOptions): Promise<Document[]> =>
  allOf(readCorpus(sourceOf(name, bytes), options))
const corpus = (text: string, options?: CorpusOptions): Promise<Document[]> =>
  read('c.jsonl', Buffer.from(text), options)
const csv = (text: string, options?: CorpusOptions): Promise<Document[]> =>
  read('c.csv', Buffer.from(text), options)

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
    ['{"_id": "a"', /c\.jsonl:1: .*JSON/],
    ['[]', /c\.jsonl:1: /],
    ['null', /c\.jsonl:1: /],
    ['{"text": "x"}', /c\.jsonl:1: .*"_id"/],
    ['{"_id": "", "text": "x"}', /c\.jsonl:1: .*"_id"/],
    ['{"_id": 1.5, "text": "x"}', /c\.jsonl:1: .*"_id"/],
    ['{"_id": 9007199254740993, "text": "x"}', /c\.jsonl:1: .*"_id"/],
    ['{"_id": "a"}\n{"_id": "b", "title": ["x"]}', /c\.jsonl:2: .*"title"/],
    ['{"_id": "a", "text": {"en": "x"}}', /c\.jsonl:1: .*"text"/],
    ['{"_id": "a", "metadata": "x"}', /c\.jsonl:1: .*"metadata"/],
    ['{"_id": "a"}\n{"_id": "b"}\n{"_id": "a"}', /c\.jsonl:3: .*"a".* 1\b/],
  ])('refuses %s', async (text, message) => {
    await expectError(corpus(text), 'bad-document', message)
  })
})

describe('fields', () => {
  const names = { idField: 'sku', titleField: 'name', textField: 'body.long' }

  it('have names of their own, with dots into objects', async () => {
    const text = lines(
      { sku: 'a', name: 'T', body: { long: 'one' }, title: 'no', text: 'no' },
      { sku: 'b', 'body.long': 'the name itself comes first', body: { long: 'no' } },
    )
    expect(await corpus(text, names)).toEqual([
      { docid: 'a', title: 'T', text: 'one' },
      { docid: 'b', text: 'the name itself comes first' },
    ])
  })

  it('that are missing are told from what the line has', async () => {
    await expectError(
      corpus('{"id": "a", "body": "x"}'),
      'bad-document',
      /c\.jsonl:1: .*"_id".*`--id-field`/s,
    )
  })
})

describe('tables', () => {
  it('have their columns in any order, line breaks and quotes in cells, and the other columns as metadata', async () => {
    const text =
      '\ufefftext,price,_id,code,title\r\n"one, ""two""\nthree",9.5,a,007,T\r\n\r\nfour,,b,NaN,\r\n'
    expect(await csv(text)).toEqual([
      { docid: 'a', title: 'T', text: 'one, "two"\nthree', metadata: { price: 9.5, code: '007' } },
      { docid: 'b', text: 'four', metadata: { code: 'NaN' } },
    ])
  })

  it('are known by their names, also packed', async () => {
    const table = gzipSync('_id\ttext\n1\ta, b\n')
    expect(await read('c.TSV.gz', table)).toEqual([{ docid: '1', text: 'a, b' }])
    expect(await read('standard input', table, { format: 'tsv' })).toEqual([{ docid: '1', text: 'a, b' }])
  })

  it.each([
    ['_id,text\na,b,c\n', /c\.csv:2: /],
    ['_id,text\na,b\nc,"d\n', /c\.csv:/],
    ['_id,text,text\na,b,c\n', /c\.csv:1: .*"text"/],
    ['id,text\na,b\n', /c\.csv:2: .*"_id".*"id", "text"/],
    ['_id,text\na,b\na,c\n', /c\.csv:3: .*"a".* 2\b/],
  ])('refuses %j', async (text, message) => {
    await expectError(csv(text), 'bad-document', message)
  })

  it('refuses what is not UTF-8', async () => {
    await expectError(read('c.csv', Buffer.from('_id,text\na,\xff\n', 'latin1')), 'bad-file')
  })

  it.each([
    ['c.csv', '_id,text\na,ü'],
    ['c.tsv', '_id\ttext\na\tü'],
    ['c.jsonl', '{"_id": "a", "text": "ü'],
  ])('refuse a file that was cut within a character, as lines do: %s', async (name, text) => {
    await expectError(read(name, Buffer.from(text).subarray(0, -1)), 'bad-file', 'not UTF-8')
  })

  it('have every text that quotes can hold', async () => {
    const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`
    const rows = fc.uniqueArray(fc.record({ docid: anyText(1), text: anyText() }), {
      selector: ({ docid }) => docid,
    })
    await fc.assert(
      fc.asyncProperty(rows, async (documents) => {
        const table = ['_id,text', ...documents.map(({ docid, text }) => `${quoted(docid)},${quoted(text)}`)]
        expect(await csv(`${table.join('\n')}\n`)).toEqual(documents)
      }),
    )
  })
})

describe('bad lines', () => {
  async function skipping(name: string, bytes: Buffer): Promise<[string[], string[]]> {
    const errors: string[] = []
    const documents = await read(name, bytes, { onBadLine: ({ message }) => errors.push(message) })
    return [documents.map(({ docid }) => docid), errors]
  }

  it('are left out on request, each with its error', async () => {
    const text = Buffer.from(
      '{"_id": "a"}\n{"_id": \n[]\n{"_id": "a"}\n{"_id": "b", "text": []}\n\xff\n{"_id": "c"}\n',
      'latin1',
    )
    const [docids, errors] = await skipping('c.jsonl', text)
    expect(docids).toEqual(['a', 'c'])
    expect(errors.map((message) => message.split(': ')[0])).toEqual(
      [2, 3, 4, 5, 6].map((line) => `c.jsonl:${line}`),
    )
  })

  it('are left out of tables, too', async () => {
    const [docids, errors] = await skipping('c.csv', Buffer.from('_id,text\na,b\nc\n,d\na,e\nf,g\n'))
    expect(docids).toEqual(['a', 'f'])
    expect(errors.map((message) => message.split(': ')[0])).toEqual([3, 4, 5].map((line) => `c.csv:${line}`))
  })
})

it('tells what may be a mistake', async () => {
  const oddities: CorpusOddity[] = []
  const text = lines({ _id: 1, text: null }, { _id: '2', text: '' }, { _id: '3' }, { _id: '4', text: 0 })
  await corpus(text, { onOddity: (oddity) => oddities.push(oddity) })
  expect(oddities).toEqual(['number-id', 'null-text', 'empty-text', 'empty-text'])
})
