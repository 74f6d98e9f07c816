/** The policy trained on one retriever and used on another: whether it knows its retriever. */

import { prepareAll, type RewardOptions } from '../../policies/local/training/action-space.ts'
import type { Example } from '../../policies/local/training/example.ts'
import { fitSecondStage, secondStageFolds } from '../../policies/local/training/train-policy.ts'
import type { Reader } from '../../src/text/reader.ts'
import { choiceTable } from './choice-table.ts'
import { createRecorder, type SystemRecord } from './record.ts'
import { fitRerank } from './reranked.ts'
import { countSteps, type OnStep } from './steps.ts'
import { surely, takeFor, trainOn, withGate } from './trained-choice.ts'
import type { EpochPlan } from './variants.ts'

/** The same queries in the same order, searched by one retriever. */
export interface RetrieverSet {
  /** The retriever's. */
  readonly name: string
  readonly examples: readonly Example[]
}

/** One seed. Plain JSON; columns have one value an example. */
export interface MatrixRun {
  readonly seed: number
  /** How many there are. */
  readonly queries: number
  /** Retriever that is searched → retriever that the policy was trained on, or `asIsName` → what was measured. */
  readonly usedOn: Readonly<Record<string, Readonly<Record<string, SystemRecord>>>>
}

export const trainedOn = (retriever: string): string => `trained on ${retriever}`

/**
 * Both sections are trained on the one and used on the other: second stage, decision and re-ranking. All parts are held out once;
 * re-ranking is fitted for `rerankedParts` of them.
 */
export async function runMatrix(
  sets: readonly RetrieverSet[],
  reader: Reader,
  asIsName: string,
  {
    seed,
    reward,
    curriculum,
    rerankedParts,
    signal,
    onStep,
  }: {
    readonly seed: number
    readonly reward: RewardOptions
    readonly curriculum: EpochPlan
    readonly rerankedParts: number
    readonly signal?: AbortSignal | undefined
    readonly onStep?: OnStep | undefined
  },
): Promise<MatrixRun> {
  const begin = countSteps(sets.length * (1 + sets.length + secondStageFolds), onStep)

  const recorders = new Map(sets.map(({ name, examples }) => [name, createRecorder(examples.length, reward)]))
  for (const { name, examples } of sets) {
    begin(`second stage for ${name}`)
    const { folds, foldOf } = await fitSecondStage(examples, reader, { seed, signal })
    const tables = new Map<string, ReturnType<typeof choiceTable>[]>()
    for (const used of sets) {
      begin(`candidates for ${name}, used on ${used.name}`)
      const prepared = await prepareAll(used.examples, (_, index) => folds[foldOf[index]!]!, reader, {
        signal,
      })
      tables.set(
        used.name,
        prepared.map((one) => choiceTable(one, reward)),
      )
    }
    for (const part of new Set(foldOf)) {
      begin(`decision and re-ranking for ${name}, part ${part + 1}`)
      const places = [...foldOf.keys()]
      const heldOut = places.filter((place) => foldOf[place] === part)
      const training = places
        .filter((place) => foldOf[place] !== part)
        .map((place) => tables.get(name)![place]!)
      const settings = { seed, cost: reward.cost, curriculum, signal }
      const { scorer } = await trainOn(training, settings)
      const folds = foldOf.filter((fold) => fold !== part)
      const models = await withGate(scorer, training, folds, { ...settings, reward })
      const fitted = part < rerankedParts ? await fitRerank(training, models, reader, settings) : undefined
      const rerank = fitted?.rerank
      for (const used of sets) {
        const held = heldOut.map((place) => tables.get(used.name)![place]!)
        const recorder = recorders.get(used.name)!
        await recorder.note(trainedOn(name), heldOut, held, takeFor(held, models), { rerank, signal })
        if (used.name === name)
          await recorder.note(
            asIsName,
            heldOut,
            held,
            held.map(() => surely(0)),
            { rerank, signal },
          )
      }
    }
  }
  return {
    seed,
    queries: sets[0]!.examples.length,
    usedOn: Object.fromEntries([...recorders].map(([name, recorder]) => [name, recorder.systems()])),
  }
}
