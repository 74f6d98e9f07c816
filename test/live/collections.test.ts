/** What Querent does on judged collections: vectors, both retrievers together, and ACQO over recorded rewrites. */
import { describe, expect, it } from 'vitest'
import { openaiChat } from '../../adapters/models/openai.ts'
import { acqo } from '../../policies/acqo/acqo.ts'
import { none } from '../../policies/none.ts'
import { startChatReplay } from '../../scripts/chat-replay.mjs'
import { readBeir } from '../../src/evaluation/beir-folder.ts'
import { type Evaluation, evaluate } from '../../src/evaluation/evaluate.ts'
import { randomizationTest } from '../../src/evaluation/significance.ts'
import { createOptimizer } from '../../src/optimizer.ts'
import type { Policy } from '../../src/policy.ts'
import type { Qrels, Query, Retriever } from '../../src/types.ts'
import {
  collectionFolder,
  collectionIndex,
  collectionsMissing,
  needsCollections,
  recordedRewrites,
  recordedSample,
} from '../support/collections.ts'

interface Searched {
  readonly retrievers: readonly Retriever[]
  readonly queries: readonly Query[]
  readonly qrels: Qrels
}

/** Recorded rewrites are answered in time on any machine: what is judged here is what they find. */
const patient = { budget: { timeout: 60_000, askTimeout: 60_000 }, legTimeout: 60_000 }

async function judge(
  { retrievers, queries, qrels }: Searched,
  policy: Policy,
  baseUrl?: string,
): Promise<Evaluation> {
  const chat = baseUrl === undefined ? undefined : openaiChat({ model: 'replay', baseUrl, retries: 0 })
  const { search } = createOptimizer({ retrievers, policy, chat, ...patient })
  return evaluate(search, queries, qrels, { metrics: ['recall@5', 'ndcg@10'] })
}

/** Evaluates the recorded sample as it is and rewritten. */
async function judgeSample(name: string, searched: Searched, failEvery = 0) {
  const server = await startChatReplay({ files: [recordedRewrites(name)], failEvery })
  const asIs = await judge(searched, none())
  const rewritten = await judge(searched, acqo(), server.url)
  await server.close()
  return { asIs, rewritten, server }
}

const percent = ({ means }: Evaluation, metric: string): number => 100 * means.get(metric)!

describe.skipIf(collectionsMissing)(`collections ${needsCollections}`, () => {
  it.each([
    ['hotpotqa-train', 'recall@5', 90],
    ['2wikimultihopqa-train', 'recall@5', 88.5],
    ['musique-train', 'recall@5', 85],
    ['mtrag', 'ndcg@10', 42.5],
    ['scifact', 'ndcg@10', 75],
  ])('ACQO on BM25 over the recorded rewrites of %s: %s at least %d', async (name, metric, least) => {
    const index = await collectionIndex(name, { dense: false })
    const { rewritten } = await judgeSample(name, { ...index, ...(await recordedSample(name)) })
    await index.close()
    expect(rewritten.summary.failures).toBe(0)
    expect(percent(rewritten, metric)).toBeGreaterThanOrEqual(least)
  })

  it('a server that fails every third time: its count is ours, and those queries score as they are', async () => {
    const index = await collectionIndex('hotpotqa-train', { dense: false })
    const sample = await recordedSample('hotpotqa-train')
    const { asIs, rewritten, server } = await judgeSample('hotpotqa-train', { ...index, ...sample }, 3)
    await index.close()
    expect(rewritten.summary.failures).toBe(server.stats().failed)
    expect(rewritten.summary.failures).toBe(Math.floor(sample.queries.length / 3))
    const fellBack = rewritten.traces.filter(({ fallback }) => fallback !== undefined)
    for (const { query } of fellBack) expect(rewritten.run.get(query.qid!)).toEqual(asIs.run.get(query.qid!))
  })

  it('vectors on scifact: nDCG@10 at least 64, and with BM25 above both', async () => {
    const index = await collectionIndex('scifact', { dense: true })
    const collection = await readBeir(collectionFolder('scifact'))
    const [bm25, dense] = index.retrievers as [Retriever, Retriever]
    const figures = []
    for (const retrievers of [[bm25], [dense], [bm25, dense]]) {
      figures.push(percent(await judge({ retrievers, ...collection }, none()), 'ndcg@10'))
    }
    await index.close()
    const [words, vectors, both] = figures as [number, number, number]
    expect(vectors).toBeGreaterThanOrEqual(64)
    expect(both).toBeGreaterThan(Math.max(words, vectors))
  })

  it.each(['hotpotqa-train', '2wikimultihopqa-train', 'musique-train'])(
    'ACQO with vectors on %s is significantly above the query as it is',
    async (name) => {
      const index = await collectionIndex(name, { dense: true })
      const sample = await recordedSample(name)
      for (const names of [['dense'], ['bm25', 'dense']]) {
        const retrievers = index.retrievers.filter((retriever) => names.includes(retriever.name))
        const { asIs, rewritten } = await judgeSample(name, { retrievers, ...sample })
        const [after, before] = [rewritten, asIs].map(({ values }) => [
          ...values.get('recall@5')!.values(),
        ]) as [number[], number[]]
        const { difference, p } = randomizationTest(after, before)
        expect(difference).toBeGreaterThan(0)
        expect(p).toBeLessThan(0.05)
      }
      await index.close()
    },
  )
})
