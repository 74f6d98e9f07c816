import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { readQueries, writeBeirQrels, writeCorpus, writeQueries } from '../../src/evaluation/beir.ts'
import { readCorpus } from '../../src/evaluation/corpus.ts'
import type { Document, Query } from '../../src/types.ts'
import { anyText } from '../support/any-text.ts'
import { expectError } from '../support/expect-error.ts'
import { allOf, sourceOf } from '../support/lines-of.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

let folder: string
beforeEach(async () => {
  folder = await temporaryFolder()
})

const lines = (...records: readonly unknown[]): string =>
  records.map((record) => JSON.stringify(record)).join('\n')
const queries = (text: string): Promise<Query[]> => readQueries(sourceOf('q.jsonl', text))

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
    ['', 'q.jsonl'],
    ['{', /q\.jsonl:1: .*JSON/],
    ['{"text": "x"}', /q\.jsonl:1: .*"_id"/],
    ['{"_id": "a"}', /q\.jsonl:1: .*"text"/],
    ['{"_id": "a", "text": " "}', /q\.jsonl:1: .*"text"/],
    [
      '{"_id": "a", "text": "x", "metadata": {"history": [{"text": "y"}]}}',
      /q\.jsonl:1: .*"metadata\.history\.0\.role"/,
    ],
    ['{"_id": "a", "text": "x"}\n{"_id": "a", "text": "y"}', /q\.jsonl:2: .*"a".* 1\b/],
  ])('refuses %s', async (text, message) => {
    await expectError(queries(text), 'bad-file', message)
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
        expect(await allOf(readCorpus(path))).toEqual(JSON.parse(JSON.stringify(documents)))
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
    await expectError(written, 'bad-document')
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
