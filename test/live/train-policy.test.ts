import { describe, expect, it } from 'vitest'
import { buildWinkBm25 } from '../../adapters/search/wink-bm25.ts'
import { actionInputs, shapeInputs } from '../../policies/local/actions.ts'
import { prepareAll } from '../../policies/local/training/action-space.ts'
import { applyDecisions, broughtLists } from '../../policies/local/training/apply-decision.ts'
import { collectExamples, type Example } from '../../policies/local/training/example.ts'
import {
  type PolicyTrainingOptions,
  type TrainedPolicy,
  type TrainingProgress,
  trainPolicy,
} from '../../policies/local/training/train-policy.ts'
import { readBeir } from '../../src/evaluation/beir-folder.ts'
import { createReader } from '../../src/text/reader.ts'
import { countTerms } from '../../src/text/term-weights.ts'
import type { Qrels, Query } from '../../src/types.ts'
import { anError, expectError } from '../support/expect-error.ts'
import { finderOf } from '../support/finder.ts'
import { sampleDocuments, sampleFolder } from '../support/small-policy.ts'
import { decisionBy, linear } from '../support/small-scorers.ts'

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
const options: PolicyTrainingOptions = {
  seed: 5,
  choice: { models: 2, curriculum: { stageOneEpochs: 1, stageTwoEpochs: 2, filter: false } },
}
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
    const progress: TrainingProgress[] = []
    const whole = await trainPolicy(examples, terms, {
      ...options,
      onProgress: (one) => void progress.push(one),
    })
    expect(bytes(whole)).toBe(await wholeBytes())
    const other = await trainPolicy(examples, terms, { ...options, seed: 6, rerank: false })
    expect(other.rerank).toBeUndefined()
    expect(other.decision.choice).not.toEqual(whole.decision.choice)

    expect([...new Set(progress.map(({ phase }) => phase))]).toEqual([
      'second stage',
      'candidates',
      'decision',
      're-ranking',
    ])
    expect(whole.curve.map(({ stage, epoch }) => [stage, epoch])).toEqual([
      [1, 1],
      [2, 1],
      [2, 2],
    ])
    for (const one of progress) if (one.phase !== 'decision') expect(one.done).toBeLessThanOrEqual(one.total)
  })

  it.each<[TrainingProgress['phase'], number]>([
    ['second stage', 3],
    ['candidates', 1],
    ['decision', 2],
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

  it('learns what sub-queries earn: more than the query as it is on what it was trained on', async () => {
    const examples = await sample()
    const { decision, curve } = await trainPolicy(examples, terms, {
      seed: 1,
      rerank: false,
      choice: { learningRate: 0.05, curriculum: { stageOneEpochs: 1, stageTwoEpochs: 15, filter: false } },
    })
    const inStageTwo = curve.filter(({ stage }) => stage === 2).map(({ meanReward }) => meanReward)
    expect(inStageTwo.at(-1)).toBeGreaterThan(inStageTwo[0]! + 0.05)
    const taken = applyDecisions(await prepareAll(examples, () => decision, createReader(terms)), decision)
    expect(taken.some(({ choice }) => choice !== 0)).toBe(true)
  })

  it('trains where no document mentions a name: then there are no bridges', async () => {
    const plain = Array.from({ length: 30 }, (_, place) => ({
      docid: `d${place}`,
      text: `the ${'red green blue'.split(' ')[place % 3]} house of street ${place} and its garden`,
    }))
    const asked = Array.from({ length: 10 }, (_, place) => ({
      qid: `q${place}`,
      text: `which garden has the house of street ${3 * place} or of road ${place}`,
    }))
    const judged = new Map(asked.map(({ qid }, place) => [qid, new Map([[`d${(3 * place + 1) % 30}`, 1]])]))
    const { decision, rerank } = await trainPolicy(
      await examplesOf(asked, judged, plain),
      countTerms(plain),
      options,
    )
    expect(decision.bridges.skip.every((weight) => weight === 0)).toBe(true)
    expect(decision.choice.inputs).toEqual(actionInputs)
    expect(rerank?.first).toHaveLength(3)
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

describe('what the parts of a training share', () => {
  it('takeAll() is sure of a choice that has nine parts of ten', async () => {
    const prepared = (await prepareAll(await sample(), () => decisionBy({}), createReader(terms))).slice(0, 1)
    const { choices, features } = prepared[0]!
    const parts = shapeInputs.filter((input) => input.startsWith('has '))
    const counts = choices.map((_, choice) => {
      const row = features.subarray(choice * actionInputs.length, (choice + 1) * actionInputs.length)
      return parts.filter((part) => row[actionInputs.indexOf(part)] === 1).length
    })
    const takenAt = (weight: number) =>
      applyDecisions(prepared, {
        choice: linear(actionInputs, Object.fromEntries(parts.map((part) => [part, -weight]))),
      })[0]!
    const probabilityAt = (weight: number) =>
      1 / counts.reduce((sum, count) => sum + Math.exp(-weight * count), 0)
    // Between 1 and 8 lies where it becomes 0.9.
    let [below, above] = [1, 8]
    expect([probabilityAt(below) < 0.9, probabilityAt(above) > 0.9]).toEqual([true, true])
    for (let round = 0; round < 20; round++) {
      const middle = (below + above) / 2
      if (probabilityAt(middle) < 0.9) below = middle
      else above = middle
    }
    expect(takenAt(below - 0.001)).toEqual({ choice: 0, isSure: false })
    expect(takenAt(above + 0.001)).toEqual({ choice: 0, isSure: true })
  })

  it('broughtLists() are those of the query, of the choice, and of what widens the pool', async () => {
    const [one] = await prepareAll(await sample(), () => decisionBy({}), createReader(terms))
    const asIs = (isSure: boolean) => broughtLists(one!, { choice: 0, isSure })
    expect(await asIs(true)).toEqual(one!.example.lists)
    expect((await asIs(false)).length).toBeGreaterThan(1)
    const names = one!.choices.findIndex(({ members }) => members.length > 0)
    const texts = (await broughtLists(one!, { choice: names, isSure: true })).map(
      ({ subQuery }) => subQuery.text,
    )
    expect(texts[0]).toBe(one!.example.query.text)
    expect(texts).toContain(one!.candidates[one!.choices[names]!.members[0]!]!.text)
    expect(texts.length).toBeLessThanOrEqual(1 + 3 + 12)
  })
})
