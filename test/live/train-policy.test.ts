import { describe, expect, it } from 'vitest'
import { buildWinkBm25 } from '../../adapters/search/wink-bm25.ts'
import { gainInputs, gainNetworks } from '../../policies/local/decision/gain.ts'
import { collectExamples, type Example } from '../../policies/local/training/example.ts'
import type { PhaseProgress } from '../../policies/local/training/rerank-training.ts'
import { type TrainedPolicy, trainPolicy } from '../../policies/local/training/train-policy.ts'
import { readBeir } from '../../src/evaluation/beir-folder.ts'
import { countTerms } from '../../src/text/term-weights.ts'
import type { Qrels, Query } from '../../src/types.ts'
import { anError, expectError } from '../support/expect-error.ts'
import { finderOf } from '../support/finder.ts'
import { sampleDocuments, sampleFolder } from '../support/small-policy.ts'

const documents = await sampleDocuments()
const terms = countTerms(documents)
const { queries, qrels } = await readBeir(sampleFolder)

/** Short lists, so that a training takes half a second. */
async function examplesOf(asked: readonly Query[], judged: Qrels, searched = documents): Promise<Example[]> {
  const retrievers = [await buildWinkBm25(searched)]
  const collection = { name: 'sample', queries: asked, qrels: judged, retrievers }
  return collectExamples([{ ...collection, documents: finderOf(searched) }], { depth: 10 })
}

const sample = (): Promise<Example[]> =>
  examplesOf(
    queries.filter((_, place) => place % 6 === 0),
    qrels,
  )
const options = { seed: 5 }
const bytes = (policy: TrainedPolicy): string => JSON.stringify(policy)

let made: Promise<string> | undefined
/** Of the whole training, which was done once. */
function wholeBytes(): Promise<string> {
  made ??= sample().then(async (examples) => bytes(await trainPolicy(examples, terms, options)))
  return made
}

describe('trainPolicy', () => {
  it('gives the same bytes for the same seed, and others for another', async () => {
    const examples = await sample()
    const progress: PhaseProgress[] = []
    const whole = await trainPolicy(examples, terms, {
      ...options,
      onProgress: (one) => void progress.push(one),
    })
    expect(bytes(whole)).toBe(await wholeBytes())
    expect(whole.decision.gains.map(({ inputs }) => inputs)).toEqual(Array(gainNetworks).fill(gainInputs))
    const other = await trainPolicy(examples, terms, { seed: 6, rerank: false })
    expect(other.rerank).toBeUndefined()
    expect(other.decision.gains).not.toEqual(whole.decision.gains)

    expect([...new Set(progress.map(({ phase }) => phase))]).toEqual([
      'second stage',
      'plans',
      'gains',
      're-ranking',
    ])
    for (const { done, total } of progress) expect(done).toBeLessThanOrEqual(total)
  })

  it.each<[PhaseProgress['phase'], number]>([
    ['second stage', 3],
    ['plans', 1],
    ['gains', 2],
    ['re-ranking', 4],
  ])('ends when it is aborted during %s (%s)', async (phase, count) => {
    const examples = await sample()
    const controller = new AbortController()
    let seen = 0
    const stopped = trainPolicy(examples, terms, {
      ...options,
      signal: controller.signal,
      onProgress: (one) => {
        if (one.phase === phase && ++seen === count) controller.abort('enough')
      },
    })
    await expect(stopped).rejects.toMatchObject({ code: 'aborted', cause: 'enough' })
  })

  it('trains where no document mentions a name: then there are no bridges', async () => {
    const plain = Array.from({ length: 30 }, (_, place) => ({
      docid: `d${place}`,
      text: `the ${'red green blue'.split(' ')[place % 3]} house of street ${place} and its garden`,
    }))
    const asked = Array.from({ length: 10 }, (_, place) => ({
      qid: `q${place}`,
      text: 'and what of its garden?',
      history: [{ role: 'user' as const, text: `where is the house of street ${3 * place}?` }],
    }))
    const judged = new Map(asked.map(({ qid }, place) => [qid, new Map([[`d${3 * place}`, 1]])]))
    const { decision, rerank } = await trainPolicy(
      await examplesOf(asked, judged, plain),
      countTerms(plain),
      options,
    )
    expect(decision.bridges.skip.every((weight) => weight === 0)).toBe(true)
    expect(decision.gains).toHaveLength(gainNetworks)
    expect(rerank?.second).toHaveLength(3)
  })
})

describe('a training set that cannot teach', () => {
  async function refusal(asked: readonly Query[], judged: Qrels): Promise<unknown> {
    let steps = 0
    const error: unknown = await trainPolicy(await examplesOf(asked, judged), terms, {
      ...options,
      onProgress: () => void steps++,
    }).then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    // Said before time is spent.
    expect(steps).toBe(0)
    return error
  }

  it('has no judgments, or hardly any', async () => {
    expect(await refusal(queries, new Map())).toMatchObject({ code: 'unusable-judgments' })
    expect(await refusal(queries, new Map([['q01', qrels.get('q01')!]]))).toMatchObject({
      code: 'unusable-judgments',
    })
    const none = new Map(
      [...qrels].map(([qid, golds]) => [qid, new Map([...golds].map(([docid]) => [docid, 0]))]),
    )
    expect(await refusal(queries, none)).toMatchObject({ code: 'unusable-judgments' })
  })

  it('is judged for another index', async () => {
    const other = new Map([...qrels].map(([qid]) => [qid, new Map([['of-another-index', 1]])]))
    expect(await refusal(queries, other)).toEqual(anError('unusable-judgments', '(36)'))
  })

  it('hangs together by what is relevant', async () => {
    const shared = new Map([...qrels].map(([qid, golds]) => [qid, new Map([...golds, ['tosca', 1]])]))
    expect(await refusal(queries, shared)).toEqual(anError('unusable-judgments', '(36)'))
  })

  it('has everything at the top already', async () => {
    const examples = await examplesOf(queries, qrels)
    const first = new Map(
      examples.map(({ query, lists }) => [query.qid!, new Map([[lists[0]!.hits[0]!.docid, 1]])]),
    )
    expect(await refusal(queries, first)).toMatchObject({ code: 'unusable-judgments' })
  })

  it('has queries that nothing can be made of', async () => {
    // Other languages are searched as they are.
    const asked = ['und der Matterhorn ist ein Berg', 'die Tosca ist nicht von Verdi'].map((text, place) => ({
      qid: `q${place}`,
      text,
    }))
    const examples = await examplesOf(
      asked,
      new Map([
        ['q0', new Map([['matterhorn', 1]])],
        ['q1', new Map([['tosca', 1]])],
      ]),
    )
    expect(examples).toHaveLength(2)
    const second = new Map(
      examples.map(({ query, lists }) => [query.qid!, new Map([[lists[0]!.hits.at(-1)!.docid, 1]])]),
    )
    await expectError(trainPolicy(await examplesOf(asked, second), terms, options), 'unusable-judgments')
  })
})
