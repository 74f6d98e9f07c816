import fs from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { writeBeirQrels } from '../../src/evaluation/beir.ts'
import { readQrels, readRun, writeQrels, writeRun } from '../../src/evaluation/trec.ts'
import type { Qrels, Run } from '../../src/types.ts'
import { anyText } from '../support/any-text.ts'
import { expectError } from '../support/expect-error.ts'
import { sourceOf } from '../support/lines-of.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

let folder: string
beforeEach(async () => {
  folder = await temporaryFolder()
})

const run = (text: string): Promise<Run> => readRun(sourceOf('a.run', text))
const qrels = (text: string): Promise<Qrels> => readQrels(sourceOf('a.qrels', text))
const docidsOf = (hits: Run, qid: string): string[] => hits.get(qid)!.map(({ docid }) => docid)

describe('readRun', () => {
  it('orders by score, then by docid from the end of the alphabet, and ignores the rank column', async () => {
    const hits = await run('q1 Q0 b 1 1.5 x\nq1 Q0 a 2 2 x\nq2 Q0 z 1 0 x\nq1\tQ0\tc  9 1.5e0 x\r\n')
    expect([...hits.keys()]).toEqual(['q1', 'q2'])
    expect(hits.get('q1')).toEqual([
      { docid: 'a', score: 2, rank: 1 },
      { docid: 'c', score: 1.5, rank: 2 },
      { docid: 'b', score: 1.5, rank: 3 },
    ])
  })

  it('takes a byte order mark, empty lines and a last line without end', async () => {
    expect([...(await run('\ufeffq1 Q0 a 1 1 x\n\n \nq2 Q0 a 1 1 x'))]).toHaveLength(2)
  })

  it('decodes identifiers, and keeps those that are not encoded', async () => {
    const hits = await run('q%201 Q0 b%20c 1 3 x\nq%201 Q0 Caf%C3%A9 2 2 x\nq%201 Q0 a\u00a0b 3 1 x')
    expect(docidsOf(hits, 'q 1')).toEqual(['b c', 'Caf%C3%A9', 'a\u00a0b'])
  })

  it('reads packed files and chunks that part characters', async () => {
    const text = 'q1 Q0 😀 1 2 x\nq1 Q0 é 2 1 x\n'
    const path = join(folder, 'packed.run.gz')
    await writeFile(path, gzipSync(text))
    expect(docidsOf(await readRun(path), 'q1')).toEqual(['😀', 'é'])
    const bytes = Array.from(Buffer.from(text), (byte) => Uint8Array.of(byte))
    expect(docidsOf(await readRun({ name: 'pipe', bytes }), 'q1')).toEqual(['😀', 'é'])
  })

  it.each([
    ['q1 Q0 a 1 1', /a\.run:1: 5 .* 6\b/],
    ['q1 Q0 a 1 1 x\nq1 Q0 a b 1 1 x', /a\.run:2: 7 .* 6\b/],
    ['q1 Q0 a 1 high x', /a\.run:1: .*"high"/],
    ['q1 Q0 a 1 NaN x', /a\.run:1: .*"NaN"/],
    ['q1 Q0 a 1 0x10 x', /a\.run:1: .*"0x10"/],
    ['q1 Q0 a 1 1e999 x', /a\.run:1: .*"1e999"/],
    ['q1 Q0 a 1 1 x\n\nq1 Q0 a 2 0 x', /a\.run:3: .*"q1".*"a"/],
    ['', 'a.run'],
    ['\n\n', 'a.run'],
  ])('refuses %j', async (text, message) => {
    await expectError(run(text), 'bad-file', message)
  })

  it('names file and line of bytes that are not UTF-8', async () => {
    const source = sourceOf('a.run', 'q1 Q0 a 1 1 x\nq1 Q0 ', Uint8Array.of(0xff, 0x0a))
    await expectError(readRun(source), 'bad-file', /a\.run:2: .*UTF-8/)
  })

  it('names the file that is missing, a folder, or not what its name says', async () => {
    await expectError(readRun(join(folder, 'none.run')), 'missing-file')
    await expectError(readRun(folder), 'missing-file')
    const path = join(folder, 'plain.run.gz')
    await writeFile(path, 'q1 Q0 a 1 1 x\n')
    await expectError(readRun(path), 'bad-file', path)
    const cut = join(folder, 'cut.run.gz')
    await writeFile(cut, gzipSync('q1 Q0 a 1 1 x\n'.repeat(9)).subarray(0, 20))
    await expectError(readRun(cut), 'bad-file', cut)
  })

  it('stops when it is aborted', async () => {
    const path = join(folder, 'aborted.run')
    await writeFile(path, 'q1 Q0 a 1 1 x\n')
    await expectError(readRun(path, { signal: AbortSignal.abort() }), 'aborted')
  })
})

describe('writeRun', () => {
  it('writes six columns with falling scores', async () => {
    const path = join(folder, 'out.run')
    const hits: Run = new Map([
      [
        'q 1',
        [
          { docid: 'b', score: 2, rank: 1 },
          { docid: 'a%20', score: 0.5, rank: 2 },
        ],
      ],
    ])
    await writeRun(path, hits, { tag: 'my system' })
    expect(await readFile(path, 'utf8')).toBe(
      'q%201 Q0 b 1 2 my%20system\nq%201 Q0 a%2520 2 0.5 my%20system\n',
    )
  })

  it('gives the same bytes each time, packed too', async () => {
    const hits = await readRun('test/fixtures/trec/cranfield.run.gz')
    const bytes = await Promise.all(
      ['one.run.gz', 'two.run.gz'].map(async (name) => {
        await writeRun(join(folder, name), hits)
        return readFile(join(folder, name))
      }),
    )
    expect(bytes[0]!.equals(bytes[1]!)).toBe(true)
    expect(gunzipSync(bytes[0]!).toString().split('\n')).toHaveLength(3001)
  })

  it('refuses what no file can hold', async () => {
    const hit = { score: 1, rank: 1 }
    for (const docid of ['', 'half \ud800']) {
      const hits: Run = new Map([['q', [{ ...hit, docid }]]])
      await expectError(writeRun(join(folder, 'no.run'), hits), 'bad-document')
    }
    const nowhere = join(folder, 'no', 'such', 'folder.run')
    await expectError(writeRun(nowhere, new Map()), 'write-failed')
  })

  it('leaves the file that is there, and nothing else, where it cannot go on', async () => {
    const hit = { docid: 'a', score: 1, rank: 1 }
    const path = join(folder, 'kept.run')
    await writeRun(path, new Map([['q', [hit]]]))
    const before = await readFile(path, 'utf8')
    const half: Run = new Map([
      ['r', [hit]],
      ['s', [{ ...hit, docid: '' }]],
    ])
    await expectError(writeRun(path, half), 'bad-document')
    expect(await readFile(path, 'utf8')).toBe(before)
    expect((await readdir(folder)).filter((file) => file.endsWith('.part'))).toEqual([])
  })

  it('leaves nothing where the file would be opened only when it has given up', async () => {
    const late: (() => void)[] = []
    const open = vi.spyOn(fs, 'open').mockImplementation((path) => {
      late.push(() => fs.openSync(path, 'w'))
    })
    onTestFinished(() => open.mockRestore())
    const path = join(folder, 'late.run')
    const bad: Run = new Map([['q', [{ docid: '', score: 1, rank: 1 }]]])
    await expectError(writeRun(path, bad), 'bad-document')
    for (const create of late) create()
    expect((await readdir(folder)).filter((file) => file.endsWith('.part'))).toEqual([])
  })
})

describe('readQrels', () => {
  it('takes the columns of TREC and of BEIR, with and without a heading', async () => {
    const expected = new Map([
      ['q1', new Map([['a', 1]])],
      ['q2', new Map([['b', -1]])],
    ])
    expect(await qrels('q1 0 a 1\nq2\t0\tb\t-1\n')).toEqual(expected)
    expect(await qrels('query-id\tcorpus-id\tscore\nq1\ta\t1\nq2\tb\t-1\n')).toEqual(expected)
    expect(await qrels('q1\ta\t1\nq2\tb\t-1')).toEqual(expected)
  })

  it('decodes identifiers of TREC, and takes those of BEIR as they are', async () => {
    expect([...(await qrels('q%201 0 a 1')).keys()]).toEqual(['q 1'])
    expect([...(await qrels('q 1\thttp://x/a%20b\t1')).get('q 1')!.keys()]).toEqual(['http://x/a%20b'])
    expect([...(await qrels('q1\t"say ""hi"""\t1')).get('q1')!.keys()]).toEqual(['say "hi"'])
  })

  it.each([
    ['q1 0 a', /a\.qrels:1: 3 .* 4\b/],
    ['q1 0 a 1 2', /a\.qrels:1: 5 .* 4\b/],
    ['query-id\tcorpus-id\tscore\nq1\ta', /a\.qrels:2: 2 .* 3\b/],
    ['query-id\tcorpus-id\tscore\nq1\t\t1', /a\.qrels:2: /],
    ['q1 0 a yes', /a\.qrels:1: .*"yes"/],
    ['q1 0 a 0.5', /a\.qrels:1: .*"0.5"/],
    ['q1 0 a 1\nq1 0 a 2', /a\.qrels:2: .*"q1".*"a"/],
    ['query-id\tcorpus-id\tscore\n', 'a.qrels'],
    ['', 'a.qrels'],
  ])('refuses %j', async (text, message) => {
    await expectError(qrels(text), 'bad-file', message)
  })
})

describe('what is written is what is read', () => {
  const id = fc.oneof(
    anyText(1),
    fc.constantFrom(
      ...[
        'a b',
        '100%',
        '%20',
        '%zz',
        '\t',
        '\n',
        '\u00a0',
        '\u2028',
        '\ufeff',
        '😀',
        '__proto__',
        '"a"',
        '#',
      ],
    ),
  )
  const run = fc.dictionary(id, fc.uniqueArray(id, { minLength: 1, maxLength: 9 }), {
    minKeys: 1,
    maxKeys: 5,
  })
  const score = fc.double({ noNaN: true })

  it('runs: the same queries and the same order of docids, whatever the identifiers and scores', async () => {
    const path = join(folder, 'property.run')
    await fc.assert(
      fc.asyncProperty(run, fc.infiniteStream(score), async (docids, scores) => {
        const queries = Object.entries(docids).map(([qid, list]) => {
          const hits = list.map((docid, index) => ({ docid, score: scores.next().value, rank: index + 1 }))
          return [qid, hits] as const
        })
        await writeRun(path, new Map(queries))
        const read = await readRun(path)
        expect(Array.from(read.keys())).toEqual(queries.map(([qid]) => qid))
        for (const [qid, hits] of queries) {
          expect(docidsOf(read, qid)).toEqual(hits.map(({ docid }) => docid))
        }
      }),
    )
  })

  const judged = fc.dictionary(id, fc.dictionary(id, fc.integer(), { minKeys: 1, maxKeys: 5 }), {
    minKeys: 1,
  })
  const toQrels = (table: Record<string, Record<string, number>>): Qrels =>
    new Map(Object.entries(table).map(([qid, list]) => [qid, new Map(Object.entries(list))]))

  it('judgments of TREC', async () => {
    const path = join(folder, 'property.qrels')
    await fc.assert(
      fc.asyncProperty(judged, async (table) => {
        await writeQrels(path, toQrels(table))
        expect(await readQrels(path)).toEqual(toQrels(table))
      }),
    )
  })

  it('judgments of BEIR, or an error where a table cannot hold the identifier', async () => {
    const path = join(folder, 'property.tsv')
    await fc.assert(
      fc.asyncProperty(judged, async (table) => {
        const ids = Object.entries(table).flatMap(([qid, list]) => [qid, ...Object.keys(list)])
        const written = writeBeirQrels(path, toQrels(table))
        if (ids.some((name) => /[\t\n\r]/.test(name))) {
          await expectError(written, 'bad-document')
        } else {
          await written
          expect(await readQrels(path)).toEqual(toQrels(table))
        }
      }),
    )
  })
})
