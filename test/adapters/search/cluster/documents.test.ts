/** What a cluster answers while some of its shards do not. */
import { describe, expect, it } from 'vitest'
import { clusterDocuments } from '../../../../adapters/search/cluster/documents.ts'
import { expectError } from '../../../support/expect-error.ts'
import { scriptedEngine } from './scripted-engine.ts'

const found = { hits: { hits: [{ _index: 'films', _id: 'dune', _source: { text: 'A desert planet.' } }] } }
const half = {
  ...found,
  _shards: { total: 2, failed: 1, failures: [{ reason: { reason: 'shard 1 is not available' } }] },
}
const documentsOn = (answer: unknown) =>
  clusterDocuments(
    scriptedEngine(() => answer),
    { index: 'films' },
  )
const all = async (answer: unknown): Promise<void> => {
  for await (const _ of documentsOn(answer).all()) break
}

describe('documents of a cluster', () => {
  it.each([
    ['half of its shards', half, '1 of 2 shards'],
    ['a search that ran out of time', { ...found, timed_out: true }, 'time'],
    ['no hits at all', { acknowledged: true }, ''],
  ])('are not said to be missing after %s', async (_, answer, words) => {
    await expectError(documentsOn(answer).has(['dune', 'emma']), 'retriever-failed', words)
    await expectError(all(answer), 'retriever-failed', words)
  })

  it('are read from the shards that answer: a search goes on with them', async () => {
    const read = await documentsOn(half).get(['dune', 'emma'])
    expect(read.map((document) => document?.text)).toEqual(['A desert planet.', undefined])
  })
})
