/** One part of the queries, held out: what policies do there that were trained on the other parts. */
import { shapeInputs } from '../../policies/local/actions.ts'
import type { ChoiceModels } from '../../policies/local/choose.ts'
import type { RewardOptions } from '../../policies/local/training/action-space.ts'
import type { AppliedDecision } from '../../policies/local/training/apply-decision.ts'
import type { CrossFittedSecondStage } from '../../policies/local/training/bridge-training.ts'
import type { Example } from '../../policies/local/training/example.ts'
import type { Random } from '../../src/learn/random.ts'
import type { Scorer } from '../../src/learn/scorer.ts'
import type { Reader } from '../../src/text/reader.ts'
import type { ChoiceTable } from './choice-table.ts'
import { type CurvePoint, trainWithCurve } from './curve-training.ts'
import { bestChoice, bestFixedSet, shuffledRewards } from './fixed-set.ts'
import type { Recorder } from './record.ts'
import { fitRerank } from './reranked.ts'
import { type Seconds, timed } from './seconds.ts'
import { dialNames, searchingSet, systemNames } from './systems.ts'
import { describeTemplate, madeOf, type Template } from './template.ts'
import { type Times, timeSearches } from './times.ts'
import { surely, takeFor, trainOn, withGate } from './trained-choice.ts'
import type { EpochPlan, Variant } from './variants.ts'
import { type Filtered, runVariants } from './variants-run.ts'

/** What all parts of a seed share. */
export interface SeedWorld {
  readonly seed: number
  readonly reward: RewardOptions
  readonly curriculum: EpochPlan
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
  /** Variants of the policy, which are trained and measured, too. */
  readonly variants: readonly Variant[]
  readonly timedExamples?: readonly Example[] | undefined
  /** What is being done, and how much of `workOf` is done. */
  readonly tell: (what: string, done: number) => void
}

/** When the steps of a part are done, measured: the decision and its rivals are trained in 1. */
const doneBy = (reranks: boolean) =>
  reranks ? { decision: 1, reranking: 3.5, measuring: 4.7 } : { decision: 1, reranking: 1, measuring: 1 }
const workOfVariant = 1.7

/** What a part takes, in trainings of a decision and its rivals. */
export const workOf = ({ reranks, variants }: Pick<PartOptions, 'reranks' | 'variants'>): number =>
  doneBy(reranks).measuring + variants.length * workOfVariant

export interface PartRun {
  readonly curve: readonly CurvePoint[]
  /** In words. */
  readonly fixedSet: string
  /** Example → what the learned policy chose. */
  readonly chosen: ReadonlyMap<number, Template>
  /** Where variants were trained. */
  readonly filtered?: Filtered
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
  const { scorer, curve } = await trainWithCurve(training, held, settings, seconds)
  const gated = (choice: Scorer): Promise<ChoiceModels> =>
    withGate(
      choice,
      training,
      foldOf.filter((fold) => fold !== part),
      { ...settings, reward },
    )
  const models = await timed(seconds, 'gate', () => gated(scorer))
  const fixed = bestFixedSet(training)
  const searching = bestFixedSet(training, { searches: true })
  const contextFree = await trainOn(training, { ...settings, inputs: shapeInputs })
  const shuffled = await trainOn(training, { ...settings, rewards: shuffledRewards(training, seed) })

  const done = doneBy(reranks)
  if (reranks) tell('re-ranking', done.decision)
  const fitted = reranks
    ? await timed(seconds, 're-ranking', () => fitRerank(training, models, reader, settings))
    : undefined
  const rerank = fitted?.rerank
  const times =
    fitted !== undefined && timedExamples !== undefined
      ? await timeSearches(
          heldOut.map((index) => timedExamples[index]!),
          { ...secondStage.folds[part]!, ...models },
          fitted.section,
          reader,
          signal,
        )
      : undefined

  tell('held-out queries', done.reranking)
  const learned = takeFor(held, models)
  const taken = {
    learned,
    asIs: held.map(() => surely(0)),
    fixed: held.map(({ templates }) => surely(madeOf(fixed, templates))),
    contextFree: takeFor(held, { choice: contextFree.scorer }),
    uniform: held.map((table) => surely(random.integer(table.prepared.choices.length))),
    shuffled: takeFor(held, { choice: shuffled.scorer }),
    oracle: held.map((table) => surely(bestChoice(table))),
  } satisfies Record<keyof typeof systemNames, readonly AppliedDecision[]>
  const dials = {
    low: takeFor(held, models, {}, 'low'),
    high: takeFor(held, models, {}, 'high'),
    ungated: takeFor(held, { choice: scorer }),
  } satisfies Record<keyof typeof dialNames, readonly AppliedDecision[]>
  const names: Readonly<Record<string, string>> = { ...systemNames, ...dialNames, searching: searchingSet }
  const madeSearching = held.map(({ templates }) => surely(madeOf(searching, templates)))
  for (const [name, own] of Object.entries({ ...taken, ...dials, searching: madeSearching }))
    await recorder.note(names[name]!, heldOut, held, own, { rerank, signal })

  const filtered =
    variants.length === 0
      ? undefined
      : await runVariants(training, held, heldOut, {
          settings,
          reward,
          variants,
          gated,
          rerank,
          recorder,
          onVariant: (name, place) => tell(name, done.measuring + place * workOfVariant),
        })
  return {
    curve,
    fixedSet: describeTemplate(fixed),
    chosen: new Map(heldOut.map((index, row) => [index, held[row]!.templates[learned[row]!.choice]!])),
    ...(filtered && { filtered }),
    ...(times && { times }),
  }
}
