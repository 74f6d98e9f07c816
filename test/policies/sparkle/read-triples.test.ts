import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readTriples } from '../../../policies/sparkle/read-triples.ts'
import { expectError } from '../../support/expect-error.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

async function fileOf(text: string): Promise<string> {
  const path = join(await temporaryFolder(), 'triples.jsonl')
  await writeFile(path, text)
  return path
}

it('gives the facts of the file, and sentences of documents without any in it', async () => {
  const path = await fileOf(
    '{"docid": "ulysses", "triples": [["Ulysses", "author", "James Joyce"], ["Ulysses", "year", "1922"]]}\n\n{"docid": "none", "triples": []}\n',
  )
  const store = await readTriples(path)
  const documents = ['joyce', 'ulysses', 'none'].map((docid) => ({ docid, text: `The text of ${docid}.` }))
  expect(await store.of(documents)).toEqual([
    { head: '', relation: '', tail: 'The text of joyce.', docid: 'joyce' },
    { head: 'Ulysses', relation: 'author', tail: 'James Joyce', docid: 'ulysses' },
    { head: 'Ulysses', relation: 'year', tail: '1922', docid: 'ulysses' },
    { head: '', relation: '', tail: 'The text of none.', docid: 'none' },
  ])
})

it.each(['{"docid": "ulysses"', '{"docid": "ulysses", "triples": [["Ulysses", "author"]]}', '[]'])(
  'names the line that is wrong: %s',
  async (line) => {
    const path = await fileOf(`{"docid": "a", "triples": []}\n${line}\n`)
    await expectError(readTriples(path), 'bad-file', `${path}:2: `)
  },
)

it('a file that is not there', async () => expectError(readTriples('no such file'), 'missing-file'))
