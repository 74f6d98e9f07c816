import { describe, expect, it } from 'vitest'
import { buildWinkBm25 } from '../../../adapters/search/wink-bm25.ts'
import { consideredIn } from '../../../policies/local/decision/considered.ts'
import { localPolicy, makeLocalPolicy } from '../../../policies/local/local-policy.ts'
import { policyDigest } from '../../../policies/local/policy-file/policy-digest.ts'
import type { PolicyFile } from '../../../policies/local/policy-file/policy-file.ts'
import { shippedFor, shippedNames } from '../../../policies/local/shipped.ts'
import { createOptimizer } from '../../../src/optimizer.ts'
import type { RetrieverKind } from '../../../src/types.ts'
import { expectError } from '../../support/expect-error.ts'
import { finderOf } from '../../support/finder.ts'
import { sampleDocuments, smallPolicy, smallPolicyFile } from '../../support/small-policy.ts'
import { decisionBy } from '../../support/small-scorers.ts'

const documents = await sampleDocuments()
const bm25 = await buildWinkBm25(documents)
const findDocuments = finderOf(documents)
const question = 'Who was born first, the director of The Seventh Seal or the director of Rear Window?'

/** A policy that always searches names and bridges. */
async function searching(): Promise<PolicyFile> {
  const policy = { ...(await smallPolicy()), decision: decisionBy({ 'plan: names and bridges': 1 }) }
  return { ...policy, digest: policyDigest(policy) }
}

describe('localPolicy', () => {
  it('decides and re-ranks, within the two requests of a search', async () => {
    const made = await localPolicy({ file: await searching() })
    const optimizer = createOptimizer({ retrievers: [bm25], documents: findDocuments, ...made })
    const { hits, trace } = await optimizer.search(question)
    expect(trace).toMatchObject({ policy: 'local', partial: false })
    expect(trace.fallback).toBeUndefined()
    const requests = trace.steps.flatMap((step) => (step.type === 'retrieve' ? [step.round] : []))
    expect(requests).toEqual([0, 1])
    const considered = consideredIn(trace.steps.find((step) => step.type === 'decide')?.details)
    expect(considered?.plans.map(({ plan }) => plan).toSorted()).toEqual(['names and bridges', 'parts'])
    expect(hits[0]?.fused).toBeDefined()
    // The same search has the same answer.
    expect((await optimizer.search(question)).hits).toEqual(hits)
  })

  it('leaves the fused order where re-ranking is not wanted, or not in the file', async () => {
    for (const made of [
      await localPolicy({ file: await smallPolicyFile(['decision', 'rerank']), rerank: false }),
      await localPolicy({ file: await smallPolicyFile(['decision']) }),
    ]) {
      expect(Object.keys(made)).toEqual(['policy'])
      const { hits } = await createOptimizer({
        retrievers: [bm25],
        documents: findDocuments,
        ...made,
      }).search(question)
      expect(hits.every(({ fused }) => fused === undefined)).toBe(true)
    }
  })

  it('searches the query as it is where the file has no decision', async () => {
    const made = await localPolicy({ file: await smallPolicyFile(['rerank']) })
    const { trace, hits } = await createOptimizer({
      retrievers: [bm25],
      documents: findDocuments,
      ...made,
    }).search(question)
    expect(trace).toMatchObject({ policy: 'none', kind: 'as-is' })
    expect(hits[0]?.fused).toBeDefined()
  })

  it('makes no more of what it found than it may', async () => {
    const made = await localPolicy({ file: await searching(), maxSecondStage: 2 })
    const { search } = createOptimizer({ retrievers: [bm25], documents: findDocuments, ...made })
    const { trace } = await search(question)
    expect(trace.subQueries.filter(({ from }) => from !== undefined)).toHaveLength(2)
  })

  it('says which option is wrong', async () => {
    await expectError(localPolicy({ file: '' }), 'bad-config')
    await expectError(localPolicy({ path: 'x' } as never), 'bad-config', 'path')
    const made = localPolicy({ file: await smallPolicyFile(['decision']), maxSecondStage: 13 })
    await expectError(made, 'bad-config', 'maxSecondStage')
    await expectError(localPolicy({ file: 'nowhere.json' }), 'missing-file')
  })

  it('takes the content of a file, and refuses what the file would be refused for', async () => {
    const file = await smallPolicy()
    const search = async (given: string | PolicyFile) => {
      const made = await localPolicy({ file: given })
      const optimizer = createOptimizer({ retrievers: [bm25], documents: findDocuments, ...made })
      return (await optimizer.search(question)).hits
    }
    expect(await search(file)).toEqual(await search(await smallPolicyFile()))
    const edited = { ...file, terms: { ...file.terms, documents: file.terms.documents + 1 } }
    for (const [given, fact] of [
      [{}, 'format'],
      [[], ''],
      [{ ...file, version: 4 }, 'version 4'],
      [{ ...file, version: 2 }, 'version 2'],
      [edited, 'changed'],
    ] as [PolicyFile, string][]) {
      // Nor are the threads shared of the policy whose digest it has.
      for (const workers of [0, 1])
        await expectError(localPolicy({ file: given, workers }), 'bad-policy', fact)
      expectError(() => makeLocalPolicy(given), 'bad-policy', fact)
    }
  })
})

describe('the shipped policies', () => {
  it.each([
    [[], 'bm25'],
    [['bm25'], 'bm25'],
    [['dense:dense'], 'dense'],
    [['titles', 'meaning:dense'], 'hybrid'],
    [['titles:sparse', 'meaning:dense'], 'hybrid'],
    [['dense in name alone'], 'bm25'],
  ])('for retrievers %j: %s', (given, name) => {
    const retrievers = given.map((one) => {
      const [retriever = '', kind] = one.split(':')
      return { name: retriever, ...(kind !== undefined && { kind: kind as RetrieverKind }) }
    })
    expect(shippedFor(retrievers)).toBe(name)
  })

  it('goes by the kinds of the lists of a retriever that gives several', () => {
    const legs = [{ name: 'words' }, { name: 'meaning', kind: 'dense' as const }]
    expect(shippedFor([{ name: 'cluster', legs }])).toBe('hybrid')
  })

  const dense = { name: 'dense', kind: 'dense' } as const
  it.each(shippedNames)('%s: decides and re-ranks', async (name) => {
    const retrievers = name === 'hybrid' ? [{ name: 'bm25' }, dense] : [name === 'dense' ? dense : { name }]
    const made = await localPolicy({ retrievers })
    expect(made.policy.name).toBe('local')
    expect(made.rerank).toBeDefined()
  })

  it('search and re-rank within a smaller budget', async () => {
    const made = await localPolicy()
    const searched: number[] = []
    for (const subQueries of [1, 5, 8]) {
      const { search } = createOptimizer({ retrievers: [bm25], ...made, budget: { subQueries } })
      const { trace } = await search(question)
      expect(trace.fallback).toBeUndefined()
      const second = trace.steps.find((step) => step.type === 'retrieve' && step.round === 1)
      searched.push(second?.type === 'retrieve' ? second.subQueries.length : 0)
      expect(searched.at(-1)).toBeLessThanOrEqual(subQueries)
      expect(trace.steps.find((step) => step.type === 'rerank')).toMatchObject({ pool: expect.any(Number) })
    }
    expect(searched).toContain(8)
  })
})
