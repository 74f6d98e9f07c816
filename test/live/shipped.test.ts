/** The policies were trained on what the script names, and the script makes those for words that are shipped. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { readPolicy } from '../../policies/local/policy-file/policy-store.ts'
import { shippedPath } from '../../policies/local/shipped.ts'
import { trainingSources } from '../../scripts/training-sources.ts'
import { collectionsMissing, needsCollections } from '../support/collections.ts'
import { isFull } from '../support/tier.ts'

/** Those that are trained again in full. With vectors that takes three quarters of an hour each. */
const repeated: readonly string[] = ['bm25', 'bm25-untitled']

describe.each(['bm25', 'bm25-untitled', 'hybrid'] as const)('%s', (name) => {
  it('was trained on the collections that the script names, with the options of today', async () => {
    const { trainedOn, options } = await readPolicy(shippedPath(name))
    expect(trainedOn.map(({ collection }) => collection)).toEqual(trainingSources.map(({ name }) => name))
    expect(options).toMatchObject({ seed: 1, depth: 100, rerank: true })
  })

  // A quarter of an hour: each push runs the test above, which sees what has changed.
  if (isFull && repeated.includes(name))
    it.skipIf(collectionsMissing)(`is what the script makes ${needsCollections}`, async () => {
      const command = ['--import', 'tsx', 'scripts/train-shipped.ts', '--check', name]
      // It throws where the command fails, with what it said.
      const { stderr } = await promisify(execFile)(process.execPath, command, { maxBuffer: 2 ** 26 })
      expect(stderr).toMatch(/: the same bytes|re-ranked: nDCG@10 [\d.]+ as shipped/)
    })
})
