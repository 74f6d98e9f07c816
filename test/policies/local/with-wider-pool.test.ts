import { describe, expect, it } from 'vitest'
import { buildWinkBm25 } from '../../../adapters/search/wink-bm25.ts'
import { localPolicy } from '../../../policies/local/local-policy.ts'
import { none } from '../../../policies/none.ts'
import { searchKey } from '../../../src/dedupe.ts'
import { createOptimizer } from '../../../src/optimizer.ts'
import type { Policy } from '../../../src/policy.ts'
import type { SubQuery, Trace } from '../../../src/types.ts'
import { finderOf } from '../../support/finder.ts'
import { sampleDocuments, smallPolicyFile } from '../../support/small-policy.ts'

const documents = await sampleDocuments()
const bm25 = await buildWinkBm25(documents)
const findDocuments = finderOf(documents)
const question = 'Who was born first, the director of The Seventh Seal or the director of Rear Window?'

/** As a language model would ask. */
function asking(...texts: readonly string[]): Policy {
  return {
    name: 'asking',
    async run(_query, tools) {
      const subQueries = texts.map((text): SubQuery => ({ text, round: 1 }))
      return { hits: tools.fuse(await tools.retrieve(subQueries, { reason: 'asked for' })) }
    },
  }
}

async function optimizer(decider: Policy, { rerank = true, maxSecondStage = 12 } = {}) {
  const made = await localPolicy({ file: await smallPolicyFile(), decider, rerank, maxSecondStage })
  return createOptimizer({ retrievers: [bm25], documents: findDocuments, ...made })
}

/** The texts of a trace's second request. */
function asked({ steps }: Trace): string[] {
  return steps.flatMap((step) =>
    step.type === 'retrieve' && step.round === 1 ? step.legs.map(({ subQuery }) => subQuery.text) : [],
  )
}

/** The texts whose lists were fused. */
const voting = ({ steps }: Trace): string[] =>
  steps.flatMap((step) => (step.type === 'fuse' ? step.lists.map(({ subQuery }) => subQuery.text) : []))

describe('widened', () => {
  const parts = ['The Seventh Seal director', 'Rear Window director born']

  it('looks up names beside the sub-queries of another policy, which alone vote', async () => {
    const { trace } = await (await optimizer(asking(...parts))).search(question)
    expect(asked(trace).slice(0, 2)).toEqual(parts)
    expect(asked(trace).length).toBeGreaterThan(2)
    expect(asked(trace).length).toBeLessThanOrEqual(15)
    expect(voting(trace)).toEqual(parts)
    expect(trace).toMatchObject({ policy: 'asking', kind: 'decompose' })
    expect(trace.reason).toMatch(/^asked for; \d+ more /)
    expect(trace.fallback).toBeUndefined()
  })

  it('has all that the other policy declares', async () => {
    const declared = {
      name: 'declaring',
      reads: true,
      budget: { subQueries: 4, asks: 2 },
      prompts: ['one', 'two'],
      agents: ['two'],
    }
    const decider: Policy = { ...asking(...parts), ...declared }
    const { policy } = await localPolicy({ file: await smallPolicyFile(), decider })
    expect(policy).toMatchObject(declared)
  })

  it('leaves the other policy its decision where documents cannot be had', async () => {
    const made = await localPolicy({ file: await smallPolicyFile(), decider: asking(...parts) })
    const documents = () => Promise.reject(new Error('The store is down'))
    const { trace, hits } = await createOptimizer({ retrievers: [bm25], documents, ...made }).search(question)
    expect(trace).toMatchObject({ kind: 'decompose', reason: 'asked for' })
    expect(trace.fallback).toBeUndefined()
    expect(asked(trace)).toEqual(parts)
    expect(hits.length).toBeGreaterThan(0)
  })

  it('never asks for more than a search may, however many the policy wants', async () => {
    const many = Array.from({ length: 14 }, (_, index) => `part ${index} of the film`)
    const { trace } = await (await optimizer(asking(...many))).search(question)
    expect(asked(trace)).toHaveLength(15)
    expect(trace.fallback).toBeUndefined()
  })

  it('looks up no bridges where none may be', async () => {
    const { trace } = await (await optimizer(asking(...parts), { maxSecondStage: 0 })).search(question)
    const second = trace.steps.flatMap((step) =>
      step.type === 'retrieve' ? step.legs.filter(({ subQuery }) => subQuery.from !== undefined) : [],
    )
    expect(second).toEqual([])
  })

  it('re-ranks a rewritten query by what it was rewritten to', async () => {
    const history = [{ role: 'user', text: 'Who directed The Seventh Seal?' }] as const
    const rewrite = 'When was Ingmar Bergman born?'
    const { trace, hits } = await (await optimizer(asking(rewrite))).search({
      text: 'and when was he born?',
      history,
    })
    expect(asked(trace)).toEqual([rewrite])
    expect(trace.kind).toBe('rewrite')
    const alone = await (await optimizer(none())).search(rewrite)
    expect(hits[0]?.docid).toBe(alone.hits[0]?.docid)
  })

  it('changes nothing without re-ranking, nor for a query that stays as it is', async () => {
    const plain = await (await optimizer(asking(...parts), { rerank: false })).search(question)
    expect(asked(plain.trace)).toEqual(parts)
    const { trace } = await (await optimizer(asking(question))).search(question)
    expect(asked(trace)).toEqual([])
    expect(voting(trace).map(searchKey)).toEqual([searchKey(question)])
  })
})
