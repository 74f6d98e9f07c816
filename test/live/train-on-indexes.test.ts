import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { policyText } from '../../policies/local/policy-file/policy-store.ts'
import { type IndexedCollection, trainOnIndexes } from '../../policies/local/training/train-on-indexes.ts'
import { findCorpus, readBeir } from '../../src/evaluation/beir-folder.ts'
import { readCorpus } from '../../src/evaluation/corpus.ts'
import { buildIndex } from '../../src/index-folder/build.ts'
import { openIndex } from '../../src/index-folder/open.ts'
import type { Retriever } from '../../src/types.ts'
import { sampleFolder } from '../support/small-policy.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** Two of three queries of the sample, and its index. */
async function collection(): Promise<IndexedCollection> {
  const out = join(await temporaryFolder(), 'index')
  await buildIndex(readCorpus(await findCorpus(sampleFolder)), { out })
  const index = await openIndex(out)
  onTestFinished(() => index.close())
  const { queries, qrels } = await readBeir(sampleFolder)
  return { name: 'sample', queries: queries.filter((_, place) => place % 3 > 0), qrels, index }
}

const unsearchable: Retriever = {
  name: 'bm25',
  retrieve: () => Promise.reject(new Error('time was spent')),
}

describe('trainOnIndexes', () => {
  it('gives the same bytes for the same seed', async () => {
    const sample = await collection()
    const options = { seed: 3 }
    const whole = await trainOnIndexes([sample], options)
    expect(whole.policy.trainedOn).toEqual([
      {
        collection: 'sample',
        queries: 24,
        retrievers: ['bm25'],
        judgements: expect.stringMatching(/^[0-9a-f]{64}$/),
        corpus: sample.index.manifest.corpus,
      },
    ])

    const again = await trainOnIndexes([sample], options)
    expect(policyText(again.policy)).toBe(policyText(whole.policy))
    const other = await trainOnIndexes([sample], { ...options, seed: 4, rerank: false })
    expect(other.policy.digest).not.toBe(whole.policy.digest)
  })

  it('ends when it is aborted', async () => {
    const interrupt = new AbortController()
    const stopped = trainOnIndexes([await collection()], {
      signal: interrupt.signal,
      onProgress: ({ phase }) => phase === 're-ranking' && interrupt.abort(),
    })
    await expect(stopped).rejects.toMatchObject({ code: 'aborted' })
  })

  it('refuses options that leave nothing to train', async () => {
    const training = trainOnIndexes([], { decided: 'none', rerank: false })
    await expect(training).rejects.toMatchObject({
      code: 'bad-config',
      message: expect.stringContaining('`decided`'),
    })
  })

  it('says what cannot teach, before anything is searched', async () => {
    const sample = await collection()
    const cannot = (changes: Partial<IndexedCollection>, retrievers: readonly Retriever[] = [unsearchable]) =>
      trainOnIndexes([{ ...sample, index: { ...sample.index, retrievers }, ...changes }]).catch(
        (error: unknown) => error,
      )
    const said = (text: string) => ({ code: 'unusable-judgments', message: expect.stringContaining(text) })
    const graded = (grade: number, docid?: string) =>
      new Map(
        [...sample.qrels].map(([qid, grades]) => [
          qid,
          new Map([...grades.keys()].map((one) => [docid ?? one, grade])),
        ]),
      )

    expect(await cannot({ qrels: new Map() })).toEqual(expect.objectContaining(said('sample')))
    expect(await cannot({ qrels: graded(0) })).toMatchObject(said('sample'))
    expect(await cannot({ qrels: graded(1, 'elsewhere') })).toMatchObject(said('(1)'))
    expect(await cannot({ queries: sample.queries.slice(0, 19) })).toMatchObject(said('19 '))
  })
})
