/**
 * One seed: the queries in parts that share no relevant document, and for each part what policies do that were trained on the
 * others. Everything that is searched is searched once, and every choice is rewarded once.
 */
import { shapeInputs } from '../../../policies/local/choices.ts'
import { createRandom } from '../../random.ts'
import type { Reader } from '../../text/reader.ts'
import { checkAborted, type Example } from '../example.ts'
import { prepareAll, type RewardOptions } from '../prepared.ts'
import { fitSecondStage, type Taken } from '../train-policy.ts'
import { type ChoiceTable, choiceTable } from './choice-table.ts'
import { bestChoice, bestFixedSet, shuffledRewards } from './fixed-set.ts'
import { type QueryType, queryTypeOf } from './query-type.ts'
import { createRecorder, type SystemRecord } from './record.ts'
import { fitRerank, type Rerank } from './reranked.ts'
import { asIs, describeTemplate, madeOf } from './template.ts'
import { type Times, timeSearches } from './times.ts'
import { type Standing, standingOn, surely, takeFor, trainOn } from './trained-choice.ts'
import { ablationsOf, type Curriculum, fixedNumbers, type Variant } from './variants.ts'

export interface SeedOptions {
  readonly seed: number
  readonly reward: RewardOptions
  readonly curriculum: Curriculum
  /** Whether variants of the policy are trained and measured, too. */
  readonly variants: boolean
  /** On how many of the parts the re-ranker is fitted and measured, too. */
  readonly rerankedParts: number
  /** The same examples with searches that are really made: then searches are timed. */
  readonly timedExamples?: readonly Example[] | undefined
  readonly signal?: AbortSignal | undefined
  /** What is being done, and how far the seed is, from 0 to 1. */
  readonly onProgress?: ((what: string, share: number) => void) | undefined
}

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

/** Plain JSON. Arrays have one value an example. */
export interface SeedRun {
  readonly seed: number
  /** The part in which each example was held out. */
  readonly partOf: readonly number[]
  readonly systems: Readonly<Record<string, SystemRecord>>
  readonly types: readonly QueryType[]
  /** Of each part. */
  readonly curves: readonly (readonly CurvePoint[])[]
  /** Of each part, in words. */
  readonly fixedSets: readonly string[]
  /** What the learned policy chose, as templates. */
  readonly chosen: readonly number[]
  /** How many queries the paper's filter kept for Stage II, of how many. */
  readonly filtered?: { readonly kept: number; readonly of: number }
  readonly times?: Times
  /** What took how long in training: the decision once a part, re-ranking once for each part it was fitted for. */
  readonly seconds: Readonly<Record<'second stage' | 'candidates' | 'decision' | 're-ranking', number>>
}

export async function runSeed(
  examples: readonly Example[],
  reader: Reader,
  { seed, reward, curriculum, variants, rerankedParts, timedExamples, signal, onProgress }: SeedOptions,
): Promise<SeedRun> {
  const seconds = { 'second stage': 0, candidates: 0, decision: 0, 're-ranking': 0 }
  const timed = async <T>(what: keyof typeof seconds, work: () => Promise<T>): Promise<T> => {
    const start = performance.now()
    const done = await work()
    seconds[what] += (performance.now() - start) / 1000
    return done
  }
  onProgress?.('second stage', 0)
  const secondStage = await timed('second stage', () =>
    fitSecondStage(examples, reader, { seed, ...(signal && { signal }) }),
  )
  const partOf = secondStage.foldOf
  const parts = [...new Set(partOf)].sort((a, b) => a - b)
  onProgress?.('candidates', 0.1)
  const prepared = await timed('candidates', () =>
    prepareAll(examples, (_, index) => secondStage.folds[partOf[index]!]!, reader, { signal }),
  )
  const tables = prepared.map((one) => choiceTable(one, reward))
  const cost = reward.cost ?? 0
  const recorder = createRecorder(examples.length, reward)
  const random = createRandom(seed)
  const curves: CurvePoint[][] = []
  const fixedSets: string[] = []
  const chosen = new Array<number>(examples.length).fill(asIs)
  let filtered: SeedRun['filtered']
  let times: Times | undefined

  for (const [place, part] of parts.entries()) {
    checkAborted(signal)
    const tell = (what: string, share: number): void =>
      onProgress?.(
        `${what}, part ${place + 1} of ${parts.length}`,
        0.15 + (0.85 * (place + share)) / parts.length,
      )
    const heldOut = [...partOf.keys()].filter((index) => partOf[index] === part)
    const others = [...partOf.keys()].filter((index) => partOf[index] !== part)
    const training = others.map((index) => tables[index]!)
    const held = heldOut.map((index) => tables[index]!)
    const settings = { seed, cost, curriculum, signal }

    tell('decision', 0)
    const curve: CurvePoint[] = [
      { stage: 1, epoch: 0, training: standingOn(training, undefined), heldOut: standingOn(held, undefined) },
    ]
    const learned = await timed('decision', () =>
      trainOn(training, {
        ...settings,
        onEpoch(scorer, { stage, zeroVariance, entropy }) {
          const start = performance.now()
          curve.push({
            stage,
            epoch: curve.length,
            training: standingOn(training, scorer),
            heldOut: standingOn(held, scorer),
            zeroVariance,
            entropy,
          })
          seconds.decision -= (performance.now() - start) / 1000
        },
      }),
    )
    curves.push(curve)
    const contextFree = await trainOn(training, { ...settings, inputs: shapeInputs })
    const shuffled = await trainOn(training, { ...settings, rewards: shuffledRewards(training, seed) })
    const fixed = bestFixedSet(training)
    fixedSets.push(describeTemplate(fixed))

    let rerank: Rerank | undefined
    if (place < rerankedParts) {
      tell('re-ranking', 0.15)
      const fitted = await timed('re-ranking', () => fitRerank(training, learned.scorer, reader, settings))
      rerank = fitted.rerank
      if (place === 0 && timedExamples !== undefined) {
        const decision = { ...secondStage.folds[part]!, choice: learned.scorer }
        const measured = heldOut.map((index) => timedExamples[index]!)
        times = await timeSearches(measured, decision, fitted.section, reader)
      }
    }

    tell('held-out queries', 0.5)
    const choices = {
      learned: takeFor(held, learned.scorer),
      asIs: held.map(() => surely(0)),
      fixed: held.map(({ templates }) => surely(madeOf(fixed, templates))),
      contextFree: takeFor(held, contextFree.scorer),
      uniform: held.map((table) => surely(random.integer(table.prepared.choices.length))),
      shuffled: takeFor(held, shuffled.scorer),
      oracle: held.map((table) => surely(bestChoice(table))),
    } satisfies Record<keyof typeof systemNames, readonly Taken[]>
    for (const [name, made] of Object.entries(choices))
      await recorder.note(systemNames[name as keyof typeof systemNames], heldOut, held, made, rerank)
    for (const [row, index] of heldOut.entries())
      chosen[index] = held[row]!.templates[choices.learned[row]!.choice]!

    // Variants are measured on one part a seed: they differ by a part of the policy, not by a part of the queries.
    if (!variants || place > 0) continue
    const all = [...ablationsOf(curriculum), ...fixedNumbers]
    for (const [index, variant] of all.entries()) {
      tell(variant.name, 0.6 + (0.4 * index) / all.length)
      const { log } = await runVariant(variant)
      if (variant.curriculum?.filter !== true) continue
      const decision = log.find((one) => one.type === 'filter')
      if (decision)
        filtered = { kept: decision.kept.length, of: decision.kept.length + decision.dropped.length }
    }

    async function runVariant(variant: Variant): Promise<Awaited<ReturnType<typeof trainOn>>> {
      const with_ = (some: readonly ChoiceTable[]): readonly ChoiceTable[] =>
        variant.fusion === undefined
          ? some
          : some.map((table) => choiceTable(table.prepared, reward, variant.fusion))
      const [own, measured] = [with_(training), with_(held)]
      const trained = await trainOn(own, { ...settings, variant })
      await recorder.note(variant.name, heldOut, measured, takeFor(measured, trained.scorer, variant), rerank)
      return trained
    }
  }
  return {
    seed,
    partOf,
    systems: recorder.systems(),
    types: prepared.map(queryTypeOf),
    curves,
    fixedSets,
    chosen,
    ...(filtered && { filtered }),
    ...(times && { times }),
    seconds,
  }
}
