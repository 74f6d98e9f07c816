import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { policyText } from '../../policies/local/policy-store.ts'
import {
  type IndexedCollection,
  type IndexTrainingOptions,
  trainOnIndexes,
} from '../../policies/local/training/train-on-indexes.ts'
import { findCorpus, readBeir } from '../../src/evaluation/beir-folder.ts'
import { readCorpus } from '../../src/evaluation/corpus.ts'
import { buildIndex } from '../../src/index-folder/build.ts'
import { openIndex } from '../../src/index-folder/open.ts'
import type { Retriever } from '../../src/types.ts'
import { anError, expectError } from '../support/expect-error.ts'
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
  it('gives the same bytes whether or not it was stopped, wherever that was', async () => {
    const sample = await collection()
    const options = { seed: 3, epochs: 1 }
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

    const checkpoint = join(await temporaryFolder(), 'policy.checkpoint')
    // The first thing that is kept is the second stage, the third is from the middle of the decision.
    for (const stop of [{ writes: 1 }, { writes: 3 }, { phase: 're-ranking' }]) {
      const interrupt = new AbortController()
      let writes = 0
      const stopped = trainOnIndexes([sample], {
        ...options,
        checkpoint,
        resume: existsSync(checkpoint),
        signal: interrupt.signal,
        onCheckpoint: () => ++writes === stop.writes && interrupt.abort(),
        onProgress: ({ phase }) => phase === stop.phase && interrupt.abort(),
      })
      await expectError(stopped, 'aborted')
    }
    const resumed = await trainOnIndexes([sample], { ...options, checkpoint, resume: true })
    expect(policyText(resumed.policy)).toBe(policyText(whole.policy))
    // It is the caller's to remove, once the policy is safe.
    expect(existsSync(checkpoint)).toBe(true)

    const other = await trainOnIndexes([sample], { ...options, seed: 4, rerank: false })
    expect(other.policy.digest).not.toBe(whole.policy.digest)
  })

  it('refuses what another run, or nothing, has left, before anything is searched', async () => {
    const sample = await collection()
    const folder = await temporaryFolder()
    const checkpoint = join(folder, 'policy.checkpoint')
    const interrupt = new AbortController()
    const first = trainOnIndexes([sample], {
      checkpoint,
      signal: interrupt.signal,
      onCheckpoint: () => interrupt.abort(),
    })
    await expectError(first, 'aborted')

    const stuck = { ...sample, index: { ...sample.index, retrievers: [unsearchable] } }
    const resume = { checkpoint, resume: true }
    const goOn = (one: IndexedCollection, options: IndexTrainingOptions) =>
      trainOnIndexes([one], options).catch((error: unknown) => error)
    expect(await goOn(stuck, resume)).toMatchObject({ message: 'time was spent' })
    expect(await goOn(stuck, { ...resume, seed: 2, cost: 0.1 })).toEqual(
      anError('bad-config', 'seed, reward'),
    )
    const judged = new Map([...sample.qrels, ['q02', new Map([['shellshock', 2]])]])
    expect(await goOn({ ...stuck, qrels: judged }, resume)).toMatchObject({
      message: expect.stringContaining('sample'),
    })
    const retrievers = [{ ...unsearchable, name: 'titles' }]
    expect(await goOn({ ...stuck, index: { ...stuck.index, retrievers } }, resume)).toMatchObject({
      message: expect.stringContaining('sample'),
    })

    expect(await goOn(stuck, { ...resume, checkpoint: 'nowhere' })).toMatchObject({ code: 'missing-file' })
    const text = await readFile(checkpoint, 'utf8')
    for (const content of ['', text.slice(0, 500), '{}', text.replace('"foldOf":[', '"foldOf":[-1,')]) {
      await writeFile(checkpoint, content)
      expect(await goOn(stuck, resume)).toEqual(anError('bad-file', checkpoint))
    }
  })

  it('says what cannot teach, before anything is searched', async () => {
    const sample = await collection()
    const cannot = (changes: Partial<IndexedCollection>, retrievers: readonly Retriever[] = [unsearchable]) =>
      trainOnIndexes([{ ...sample, index: { ...sample.index, retrievers }, ...changes }]).catch(
        (error: unknown) => error,
      )
    const said = (text: string) => ({ code: 'cannot-teach', message: expect.stringContaining(text) })
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
