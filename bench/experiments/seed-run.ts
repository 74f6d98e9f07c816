/**
 * One seed: the queries in parts that share no relevant document, each held out once. Everything that is searched is searched
 * once, and every choice is rewarded once.
 */

import { prepareAll, type RewardOptions } from '../../policies/local/training/action-space.ts'
import type { Example } from '../../policies/local/training/example.ts'
import { fitSecondStage } from '../../policies/local/training/train-policy.ts'
import { createRandom } from '../../src/learn/random.ts'
import { checkAborted } from '../../src/runtime/yield.ts'
import type { Reader } from '../../src/text/reader.ts'
import { choiceTable } from './choice-table.ts'
import type { CurvePoint } from './curve-training.ts'
import { type PartRun, runPart, type SeedWorld, workOf } from './part-run.ts'
import { type QueryType, queryTypeOf } from './query-type.ts'
import { createRecorder, type SystemRecord } from './record.ts'
import { type Seconds, timed } from './seconds.ts'
import { asIs, type Template } from './template.ts'
import type { EpochPlan, Variant } from './variants.ts'

export interface SeedOptions {
  readonly seed: number
  readonly reward: RewardOptions
  readonly curriculum: EpochPlan
  /** Variants of the policy, which are trained and measured, too. */
  readonly variants: readonly Variant[]
  /** On how many of the parts the re-ranker is fitted and measured, too. */
  readonly rerankedParts: number
  /** The same examples with searches that are really made: then searches are timed. */
  readonly timedExamples?: readonly Example[] | undefined
  readonly signal?: AbortSignal | undefined
  /** What is being done, and how far the seed is, from 0 to 1. */
  readonly onProgress?: ((what: string, share: number) => void) | undefined
}

/** Plain JSON. Arrays have one value an example. */
export interface SeedRun extends Pick<PartRun, 'filtered' | 'times'> {
  readonly seed: number
  /** The part in which each example was held out. */
  readonly partOf: readonly number[]
  readonly systems: Readonly<Record<string, SystemRecord>>
  readonly types: readonly QueryType[]
  /** Of each part. */
  readonly curves: readonly (readonly CurvePoint[])[]
  /** Of each part, in words. */
  readonly fixedSets: readonly string[]
  /** What the learned policy chose. */
  readonly chosen: readonly Template[]
  /** Of training: second stage and candidates once, the decision once a part, re-ranking once for each part it was fitted for. */
  readonly seconds: Readonly<Seconds>
}

/** What comes before the parts, measured, in the units of `workOf`. */
const work = { secondStage: 0.6, candidates: 0.4 }

export async function runSeed(
  examples: readonly Example[],
  reader: Reader,
  { seed, reward, curriculum, variants, rerankedParts, timedExamples, signal, onProgress }: SeedOptions,
): Promise<SeedRun> {
  const seconds: Seconds = { 'second stage': 0, candidates: 0, decision: 0, gate: 0, 're-ranking': 0 }
  onProgress?.('second stage', 0)
  const secondStage = await timed(seconds, 'second stage', () =>
    fitSecondStage(examples, reader, { seed, ...(signal && { signal }) }),
  )
  const { folds, foldOf } = secondStage
  const parts = [...new Set(foldOf)].sort((a, b) => a - b)
  const plans = parts.map((part, place) => ({
    part,
    reranks: place < rerankedParts,
    // Variants are measured on one part a seed: they differ by a part of the policy, not by a part of the queries.
    variants: place === 0 ? variants : [],
  }))
  const total = plans.reduce((sum, plan) => sum + workOf(plan), work.secondStage + work.candidates)
  let done = work.secondStage
  onProgress?.('candidates', done / total)
  const prepared = await timed(seconds, 'candidates', () =>
    prepareAll(examples, (_, index) => folds[foldOf[index]!]!, reader, { signal }),
  )
  const recorder = createRecorder(examples.length, reward)
  const tables = prepared.map((one) => choiceTable(one, reward))
  const random = createRandom(seed)
  const world: SeedWorld = {
    seed,
    reward,
    curriculum,
    secondStage,
    tables,
    reader,
    random,
    recorder,
    seconds,
    signal,
  }

  done += work.candidates
  const runs: PartRun[] = []
  for (const [place, plan] of plans.entries()) {
    checkAborted(signal)
    const run = await runPart(world, {
      ...plan,
      ...(place === 0 && { timedExamples }),
      tell: (what, own) =>
        onProgress?.(`${what}, part ${place + 1} of ${plans.length}`, (done + own) / total),
    })
    done += workOf(plan)
    runs.push(run)
  }
  const chosen = new Map(runs.flatMap((run) => [...run.chosen]))
  const { filtered, times } = runs[0]!
  return {
    seed,
    partOf: foldOf,
    systems: recorder.systems(),
    types: prepared.map(queryTypeOf),
    curves: runs.map(({ curve }) => curve),
    fixedSets: runs.map(({ fixedSet }) => fixedSet),
    chosen: examples.map((_, index) => chosen.get(index) ?? asIs),
    ...(filtered && { filtered }),
    ...(times && { times }),
    seconds,
  }
}
