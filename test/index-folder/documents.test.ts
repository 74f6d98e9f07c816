import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openDocuments } from '../../src/index-folder/documents.ts'
import { writeDocuments } from '../../src/index-folder/write-documents.ts'
import { expectError } from '../support/expect-error.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

it('the documents that were asked for last stay in memory, 20,000 of them', async () => {
  const folder = await temporaryFolder()
  const documents = Array.from({ length: 20_002 }, (_, index) => ({
    docid: `d${index}`,
    text: `text ${index}`,
  }))
  await writeDocuments(documents, folder)
  const store = await openDocuments(folder)
  const docids = documents.map(({ docid }) => docid)
  await store.get(docids.slice(0, 20_000))
  // Now d1 is the one that was asked for longest ago, then d2.
  await store.get(['d0', 'd20000', 'd20001'])
  await blank(join(folder, 'documents.jsonl'))

  expect(await store.get(['d20001', 'd0', 'none', 'd3'])).toEqual([
    documents[20_001],
    documents[0],
    undefined,
    documents[3],
  ])
  for (const docid of ['d1', 'd2']) await expectError(store.get([docid]), 'bad-index')
  await store.close()
})

/** Makes every line of a file unreadable, in place. */
async function blank(path: string): Promise<void> {
  const handle = await open(path, 'r+')
  const { size } = await handle.stat()
  await handle.write(Buffer.alloc(size, ' '), 0, size, 0)
  await handle.close()
}
