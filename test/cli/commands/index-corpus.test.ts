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
    const found = await runToEnd(['search', 'ship', '--index', index, '--policy', 'none', '--json'])
    expect(JSON.parse(found.output).hits).toMatchObject([{ docid: '7' }])
  })

  it('says which number is too large for a docid', async () => {
    const { parent, folder } = await collection('{"_id": 12345678901234567890, "text": "a"}\n')
    const { status, errors } = await runToEnd(['index', folder, '--out', join(parent, 'index')])
    expect(status).toBe(1)
    expect(errors).toMatch(/corpus\.jsonl:1: .*"_id".* is not exact: write identifiers in quotes/)
  })

  it.each(['the folder', 'its file', 'a link to it'])('does not write among the corpus: %s', async (way) => {
    const { parent, folder } = await collection('{"_id": "a", "text": "a"}\n')
    const link = join(parent, 'link')
    await symlink(folder, link)
    const corpus = way === 'its file' ? join(folder, 'corpus.jsonl') : folder
    const out = way === 'a link to it' ? link : folder
    const { status, errors } = await runToEnd(['index', corpus, '--out', out])
    expect(status).toBe(2)
    expect(errors).toContain('is the folder of the corpus itself')
    expect(errors).toContain(`--out ${join(out, 'index')}.`)
    expect(await readdir(folder)).toEqual(['corpus.jsonl'])
  })
})
