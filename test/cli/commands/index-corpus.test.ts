import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runToEnd } from '../../support/run-to-end.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

async function collection(corpus: string) {
  const parent = await temporaryFolder()
  const folder = join(parent, 'collection')
  await mkdir(folder)
  await writeFile(join(folder, 'corpus.jsonl'), corpus)
  return { parent, folder }
}

describe('querent index', () => {
  it('takes numbers for docids, and finds them as strings', async () => {
    const { parent, folder } = await collection('{"_id": 7, "text": "a ship"}\n')
    const index = join(parent, 'index')
    const { status, errors } = await runToEnd(['index', folder, '--out', index])
    expect([status, errors]).toEqual([0, expect.stringContaining(': 1 document, ')])
    expect(errors).toContain('1 document ')
    const found = await runToEnd(['search', 'ship', '--index', index, '--policy', 'none', '--json'])
    expect(JSON.parse(found.output).hits).toMatchObject([{ docid: '7' }])
  })

  it('says which number is too large for a docid', async () => {
    const { parent, folder } = await collection('{"_id": 12345678901234567890, "text": "a"}\n')
    const { status, errors } = await runToEnd(['index', folder, '--out', join(parent, 'index')])
    expect(status).toBe(1)
    expect(errors).toMatch(/corpus\.jsonl:1: .*"_id"/)
  })

  it('reads a table with fields of other names, and counts what it leaves out and what is odd', async () => {
    const { parent, folder } = await collection('')
    const file = join(folder, 'products.tsv')
    await writeFile(file, 'sku\tname\tstory\nx1\tA ship\t\nx2\tA boat\nx3\tA raft\tof reed\n')
    const index = join(parent, 'index')
    const fields = ['--id-field', 'sku', '--title-field', 'name', '--text-field', 'story']
    const { status, errors, output } = await runToEnd([
      ...['index', file, '--out', index, ...fields, '--set', 'skipBadLines=true', '--json'],
    ])
    expect(status).toBe(0)
    expect(JSON.parse(output)).toMatchObject({ documents: 2, skipped: 1 })
    expect(errors).toMatch(/Left out 1 bad line\. The first: .*products\.tsv:3: /)
    expect(errors).toContain('1 document had no text')
    const found = await runToEnd(['search', 'reed', '--index', index, '--policy', 'none', '--json'])
    expect(JSON.parse(found.output).hits).toMatchObject([{ docid: 'x3' }])
  })

  it('reads tables without a line of names, and queries of one', async () => {
    const { parent, folder } = await collection('')
    const [file, index] = [join(folder, 'passages.tsv'), join(parent, 'index')]
    await writeFile(file, '0\tA 5" ship of "oak"\n1\t"A raft" of reed\n')
    const indexing = ['index', file, '--out', index, '--columns', 'pid,text', '--id-field', 'pid']
    expect(await runToEnd(indexing)).toMatchObject({
      status: 0,
      errors: expect.stringContaining(': 2 documents'),
    })
    for (const names of ['', 'qid\tquery\n']) {
      await writeFile(join(folder, 'queries.tsv'), `${names}7\tship\n8\t"raft" of\n`)
      await writeFile(join(folder, 'qrels.txt'), '7 0 0 1\n8 0 1 1\n')
      const given = ['--queries', join(folder, 'queries.tsv'), '--qrels', join(folder, 'qrels.txt')]
      const searching = ['--index', index, '--policy', 'none', '--metrics', 'recall@1', '--json']
      const { output } = await runToEnd(['evaluate', folder, ...given, ...searching])
      expect(JSON.parse(output)).toMatchObject({ queries: 2, metrics: { 'recall@1': 1 } })
    }
    const json = await runToEnd(['index', '-', ...indexing.slice(2)])
    expect([json.status, json.errors]).toEqual([2, expect.stringContaining('--set inputFormat=tsv')])
  })

  it.each([
    ['jsonl', (id: number) => `{"_id": "${id}", "text": "x"}`, ''],
    ['csv', (id: number) => `${id},x`, '_id,text\n'],
  ])('ends with 1 if most lines of %s are bad, and keeps the old index', async (format, rowOf, head) => {
    const { parent, folder } = await collection('{"_id": "old", "text": "ship"}\n')
    const [file, index] = [join(folder, `new.${format}`), join(parent, 'index')]
    expect((await runToEnd(['index', folder, '--out', index])).status).toBe(0)
    const lines = (bad: number) =>
      head + [1, 2, 3, 4].map((id) => `${id <= bad ? 'bad' : rowOf(id)}\n`).join('')
    await writeFile(file, lines(3))
    const { status, errors } = await runToEnd(['index', file, '--out', index, '--set', 'skipBadLines=true'])
    expect([status, errors]).toEqual([1, expect.stringContaining('3 of 4 ')])
    const found = await runToEnd(['search', 'ship', '--index', index, '--policy', 'none', '--json'])
    expect(JSON.parse(found.output).hits).toMatchObject([{ docid: 'old' }])
    await writeFile(file, lines(2))
    expect((await runToEnd(['index', file, '--out', index, '--set', 'skipBadLines=true'])).status).toBe(0)
  })

  it.each(['the folder', 'its file', 'a link to it'])('does not write among the corpus: %s', async (way) => {
    const { parent, folder } = await collection('{"_id": "a", "text": "a"}\n')
    const link = join(parent, 'link')
    await symlink(folder, link)
    const corpus = way === 'its file' ? join(folder, 'corpus.jsonl') : folder
    const out = way === 'a link to it' ? link : folder
    const { status, errors } = await runToEnd(['index', corpus, '--out', out])
    expect(status).toBe(2)
    expect(errors).toContain('folder of the corpus')
    expect(errors).toContain(`--out ${join(out, 'index')}.`)
    expect(await readdir(folder)).toEqual(['corpus.jsonl'])
  })
})

describe('querent index --add and --delete', () => {
  async function twoShips() {
    const { parent, folder } = await collection(
      '{"_id": "a", "text": "a ship"}\n{"_id": "b", "text": "a boat"}\n',
    )
    const index = join(parent, 'index')
    expect((await runToEnd(['index', folder, '--out', index])).status).toBe(0)
    const search = async (text: string) => {
      const found = await runToEnd(['search', text, '--index', index, '--policy', 'none', '--json'])
      return JSON.parse(found.output).hits.map(({ docid }: { docid: string }) => docid)
    }
    return { parent, index, search }
  }

  it('add, replace and delete documents, and say what was done', async () => {
    const { parent, index, search } = await twoShips()
    const [add, ids] = [join(parent, 'new.csv'), join(parent, 'ids.txt')]
    await writeFile(add, 'sku,text\nb,a ferry\nc,a ship of reed\nd,\n')
    await writeFile(ids, 'a\r\n\nx\n')
    const { status, errors } = await runToEnd([
      ...['index', '--add', add, '--id-field', 'sku', '--delete', ids, '--out', index],
    ])
    expect([status, errors]).toEqual([
      0,
      expect.stringContaining(`${index}: 2 added, 1 replaced, 1 deleted; now 3 documents, `),
    ])
    expect(errors).toContain(`Of ${ids}, 1 docid `)
    expect(errors).toContain('1 document had no text')
    expect([await search('ship'), await search('boat'), await search('ferry')]).toEqual([['c'], [], ['b']])

    const { output } = await runToEnd(['index', '--delete', '-', '--out', index, '--json'], {
      stdin: 'd\ne\n',
    })
    expect(JSON.parse(output)).toMatchObject({ documents: 2, added: 0, replaced: 0, removed: 1, unknown: 1 })
    expect(errors).toContain('--vacuum')
    const anew = await runToEnd(['index', '--vacuum', '--out', index])
    expect(anew.errors).toMatch(/written anew; now 2 documents/)
    expect([await search('ship'), await search('boat'), await search('ferry')]).toEqual([['c'], [], ['b']])
  })

  it.each([
    [['--add', 'x', '--engine', 'opensearch', '--url', 'http://localhost:9200', '--name', 'x'], '--add'],
    [['corpus.jsonl', '--add', 'x', '--out', 'y'], 'corpus.jsonl would be a new index'],
    [['--add', 'x', '--dense', '--out', 'y'], '--dense cannot be changed'],
    [['--add', '-', '--delete', '-', '--out', 'y'], 'standard input'],
    [['--add', 'x'], '--out'],
    [['--out', 'y'], 'The corpus is missing'],
  ])('are refused with %j', async (flags, hint) => {
    const { status, errors } = await runToEnd(['index', ...flags])
    expect(status).toBe(2)
    expect(errors).toContain(hint)
  })
})
