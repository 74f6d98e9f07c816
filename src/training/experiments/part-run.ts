/** One part of the queries, held out: what policies do there that were trained on the other parts. */
import { shapeInputs } from '../../../policies/local/choices.ts'
import type { Random } from '../../random.ts'
import type { Scorer } from '../../scorer.ts'
import type { Reader } from '../../text/reader.ts'
import type { CrossFittedSecondStage } from '../bridge-training.ts'
import type { Example } from '../example.ts'
import type { RewardOptions } from '../prepared.ts'
import type { Taken } from '../taken.ts'
import { type ChoiceTable, choiceTable } from './choice-table.ts'
import { bestChoice, bestFixedSet, shuffledRewards } from './fixed-set.ts'
import type { Recorder } from './record.ts'
import { fitRerank, type Rerank } from './reranked.ts'
import { describeTemplate, madeOf, type Template } from './template.ts'
import { type Times, timeSearches } from './times.ts'
import { type Standing, standingOn, surely, takeFor, trainOn } from './trained-choice.ts'
import { type Curriculum, type Variant, variantsOf } from './variants.ts'

/** The systems of every comparison. */
export const systemNames = {
  learned: 'the learned policy',
  asIs: 'the query as it is',
  fixed: 'the best fixed set',
  contextFree: 'a context-free policy',
  uniform: 'uniform choice',
  shuffled: 'trained on shuffled rewards',
  oracle: 'the oracle',
} as const

/** One epoch of the decision's training, with how the policy stood after it. Epoch 0 is before training. */
export interface CurvePoint {
  readonly stage: 1 | 2
  /** From 0, on through both stages. */
  readonly epoch: number
  readonly training: Standing
  readonly heldOut: Standing
  /** The share of the epoch's queries that taught nothing. */
  readonly zeroVariance?: number
  /** In nats. */
  readonly entropy?: number
}

/** What took how long. */
export type Seconds = Record<'second stage' | 'candidates' | 'decision' | 're-ranking', number>

/** What all parts of a seed share. */
export interface SeedWorld {
  readonly seed: number
  readonly reward: RewardOptions
  readonly curriculum: Curriculum
  readonly secondStage: CrossFittedSecondStage
  /** One an example. */
  readonly tables: readonly ChoiceTable[]
  readonly reader: Reader
  readonly random: Random
  readonly recorder: Recorder
  readonly seconds: Seconds
  readonly signal?: AbortSignal | undefined
}

export interface PartOptions {
  readonly part: number
  readonly reranks: boolean
  readonly variants: boolean
  readonly timedExamples?: readonly Example[] | undefined
  /** What is being done, and how much of `workOf` is done. */
  readonly tell: (what: string, done: number) => void
}

/** When the steps of a part are done, measured: the decision and its rivals are trained in 1. */
const doneBy = (reranks: boolean) =>
  reranks ? { decision: 1, reranking: 3.5, measuring: 4.7 } : { decision: 1, reranking: 1, measuring: 1 }
const workOfVariant = 1.7

/** What a part takes, in trainings of a decision and its rivals. */
export function workOf(
  curriculum: Curriculum,
  { reranks, variants }: Pick<PartOptions, 'reranks' | 'variants'>,
): number {
  return doneBy(reranks).measuring + (variants ? variantsOf(curriculum).length * workOfVariant : 0)
}

export interface PartRun {
  readonly curve: readonly CurvePoint[]
  /** In words. */
  readonly fixedSet: string
  /** Example → what the learned policy chose. */
  readonly chosen: ReadonlyMap<number, Template>
  /** How many queries the paper's filter kept for Stage II, of how many. */
  readonly filtered?: { readonly kept: number; readonly of: number }
  readonly times?: Times
}

export async function runPart(
  { seed, reward, curriculum, secondStage, tables, reader, random, recorder, seconds, signal }: SeedWorld,
  { part, reranks, variants, timedExamples, tell }: PartOptions,
): Promise<PartRun> {
  const { foldOf } = secondStage
  const heldOut = [...tables.keys()].filter((index) => foldOf[index] === part)
  const held = heldOut.map((index) => tables[index]!)
  const training = tables.filter((_, index) => foldOf[index] !== part)
  const settings = { seed, cost: reward.cost, curriculum, signal }

  tell('decision', 0)
  const { curve, scorer } = await trainWithCurve()
  const fixed = bestFixedSet(training)
  const contextFree = await trainOn(training, { ...settings, inputs: shapeInputs })
  const shuffled = await trainOn(training, { ...settings, rewards: shuffledRewards(training, seed) })

  const done = doneBy(reranks)
  if (reranks) tell('re-ranking', done.decision)
  const fitted = reranks
    ? await timed(seconds, 're-ranking', () => fitRerank(training, scorer, reader, settings))
    : undefined
  const rerank = fitted?.rerank
  const times =
    fitted !== undefined && timedExamples !== undefined
      ? await timeSearches(
          heldOut.map((index) => timedExamples[index]!),
          { ...secondStage.folds[part]!, choice: scorer },
          fitted.section,
          reader,
          signal,
        )
      : undefined

  tell('held-out queries', done.reranking)
  const learned = takeFor(held, scorer)
  const taken = {
    learned,
    asIs: held.map(() => surely(0)),
    fixed: held.map(({ templates }) => surely(madeOf(fixed, templates))),
    contextFree: takeFor(held, contextFree.scorer),
    uniform: held.map((table) => surely(random.integer(table.prepared.choices.length))),
    shuffled: takeFor(held, shuffled.scorer),
    oracle: held.map((table) => surely(bestChoice(table))),
  } satisfies Record<keyof typeof systemNames, readonly Taken[]>
  for (const [name, own] of Object.entries(taken))
    await recorder.note(systemNames[name as keyof typeof systemNames], heldOut, held, own, {
      rerank,
      signal,
    })

  const filtered = variants ? await runVariants(rerank) : undefined
  return {
    curve,
    fixedSet: describeTemplate(fixed),
    chosen: new Map(heldOut.map((index, row) => [index, held[row]!.templates[learned[row]!.choice]!])),
    ...(filtered && { filtered }),
    ...(times && { times }),
  }

  async function trainWithCurve(): Promise<{ scorer: Scorer; curve: CurvePoint[] }> {
    const points: CurvePoint[] = [
      { stage: 1, epoch: 0, training: standingOn(training, undefined), heldOut: standingOn(held, undefined) },
    ]
    const { scorer } = await timed(seconds, 'decision', () =>
      trainOn(training, {
        ...settings,
        onEpoch(current, { stage, zeroVariance, entropy }) {
          const start = performance.now()
          points.push({
            stage,
            epoch: points.length,
            training: standingOn(training, current),
            heldOut: standingOn(held, current),
            zeroVariance,
            entropy,
          })
          // Looking at a policy is no part of training it.
          seconds.decision -= (performance.now() - start) / 1000
        },
      }),
    )
    return { scorer, curve: points }
  }

  async function runVariants(rerank: Rerank | undefined): Promise<PartRun['filtered']> {
    let kept: PartRun['filtered']
    for (const [index, variant] of variantsOf(curriculum).entries()) {
      tell(variant.name, done.measuring + index * workOfVariant)
      const own = withFusion(training, variant)
      const measured = withFusion(held, variant)
      const trained = await trainOn(own, { ...settings, variant })
      const { maxSecondStage } = variant
      const reranked: Rerank | undefined = rerank && ((table, taken) => rerank(table, taken, maxSecondStage))
      await recorder.note(variant.name, heldOut, measured, takeFor(measured, trained.scorer, variant), {
        rerank: reranked,
        signal,
      })
      const filter = trained.log.find((decision) => decision.type === 'filter')
      if (filter) kept = { kept: filter.kept.length, of: filter.kept.length + filter.dropped.length }
    }
    return kept
  }

  function withFusion(some: readonly ChoiceTable[], { fusion }: Variant): readonly ChoiceTable[] {
    return fusion === undefined ? some : some.map(({ prepared }) => choiceTable(prepared, reward, fusion))
  }
}

/** Adds the time of some work. */
export async function timed<T>(seconds: Seconds, what: keyof Seconds, work: () => Promise<T>): Promise<T> {
  const start = performance.now()
  const done = await work()
  seconds[what] += (performance.now() - start) / 1000
  return done
}
