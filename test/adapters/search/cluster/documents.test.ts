/** What a cluster answers while some of its shards do not. */
import { describe, expect, it } from 'vitest'
import { clusterDocuments } from '../../../../adapters/search/cluster/documents.ts'
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
    ['half of its shards', half, 'lacks hits: 1 of 2 shards failed: shard 1 is not available'],
    ['a search that ran out of time', { ...found, timed_out: true }, 'the time of the search was up'],
    ['no hits at all', { acknowledged: true }, 'it has none'],
  ])('are not said to be missing after %s', async (_, answer, words) => {
    const failure = { code: 'retriever-failed', message: expect.stringContaining(words) }
    await expect(documentsOn(answer).has(['dune', 'emma'])).rejects.toMatchObject(failure)
    await expect(all(answer)).rejects.toMatchObject(failure)
  })

  it('are read from the shards that answer: a search goes on with them', async () => {
    const read = await documentsOn(half).get(['dune', 'emma'])
    expect(read.map((document) => document?.text)).toEqual(['A desert planet.', undefined])
  })
})
