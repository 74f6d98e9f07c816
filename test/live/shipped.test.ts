/** The policy for words, trained once more from the collections: the script makes what is shipped. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { collectionsMissing, needsCollections } from '../support/collections.ts'

it.skipIf(collectionsMissing)(`is what the script makes ${needsCollections}`, async () => {
  const command = ['--import', 'tsx', 'scripts/train-shipped.ts', '--check', 'bm25']
  // It throws where the command fails, with what it said.
  const { stderr } = await promisify(execFile)(process.execPath, command, { maxBuffer: 2 ** 26 })
  expect(stderr).toMatch(/bm25: the same bytes|re-ranked: nDCG@10 [\d.]+ as shipped/)
})
