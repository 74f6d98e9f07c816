/** Collections that the policy has never seen, such as all of one corpus: trained on the others, used on these. */

import { prepareAll, type RewardOptions } from '../../policies/local/training/action-space.ts'
import type { Example } from '../../policies/local/training/example.ts'
import { fitSecondStage } from '../../policies/local/training/train-policy.ts'
import type { Reader } from '../../src/text/reader.ts'
import { choiceTable } from './choice-table.ts'
import { bestFixedSet } from './fixed-set.ts'
import { createRecorder, type SystemRecord } from './record.ts'
import { fitRerank } from './reranked.ts'
import { countSteps, type OnStep } from './steps.ts'
import { madeOf } from './template.ts'
import { surely, takeFor, trainOn, withGate } from './trained-choice.ts'
import type { EpochPlan } from './variants.ts'

/** Beside those of every comparison. */
export const leftOutNames = {
  transferred: 'trained on the other collections',
  fixed: 'the best fixed set of the other collections',
} as const

/** Plain JSON. */
export interface LeftOutRun {
  readonly collections: readonly string[]
  /** The places of their queries among the examples; columns have one value for each of them. */
  readonly examples: readonly number[]
  readonly seeds: readonly {
    readonly seed: number
    readonly systems: Readonly<Record<string, SystemRecord>>
  }[]
}

/**
 * The second stage is fitted once, with the first seed, and so is re-ranking, the dear part: the queries are the same for all
 * seeds here.
 */
export async function runLeftOut(
  examples: readonly Example[],
  collections: readonly string[],
  reader: Reader,
  {
    seeds,
    reward,
    curriculum,
    signal,
    onStep,
  }: {
    readonly seeds: readonly number[]
    readonly reward: RewardOptions
    readonly curriculum: EpochPlan
    readonly signal?: AbortSignal | undefined
    readonly onStep?: OnStep | undefined
  },
): Promise<LeftOutRun> {
  const begin = countSteps(2 + seeds.length, onStep)

  const own = [...examples.keys()].filter((index) => collections.includes(examples[index]!.collection))
  const others = examples.filter((example) => !collections.includes(example.collection))
  begin('second stage')
  const { all, folds, foldOf } = await fitSecondStage(others, reader, { seed: seeds[0]!, signal })
  const tablesOf = async (some: readonly Example[], models: (index: number) => typeof all) =>
    (await prepareAll(some, (_, index) => models(index), reader, { signal })).map((one) =>
      choiceTable(one, reward),
    )
  begin('candidates')
  const training = await tablesOf(others, (index) => folds[foldOf[index]!]!)
  const held = await tablesOf(
    own.map((index) => examples[index]!),
    () => all,
  )
  const fixed = bestFixedSet(training)
  const rows = [...held.keys()]
  const runs: { seed: number; systems: Readonly<Record<string, SystemRecord>> }[] = []
  for (const [place, seed] of seeds.entries()) {
    begin(`decision, seed ${seed}`)
    const settings = { seed, cost: reward.cost, curriculum, signal }
    const recorder = createRecorder(held.length, reward)
    const { scorer } = await trainOn(training, settings)
    const models = await withGate(scorer, training, foldOf, { ...settings, reward })
    const fitted = place === 0 ? await fitRerank(training, models, reader, settings) : undefined
    const rerank = fitted?.rerank
    await recorder.note(leftOutNames.transferred, rows, held, takeFor(held, models), { rerank, signal })
    const made = held.map(({ templates }) => surely(madeOf(fixed, templates)))
    await recorder.note(leftOutNames.fixed, rows, held, made, { rerank, signal })
    runs.push({ seed, systems: recorder.systems() })
  }
  return { collections, examples: own, seeds: runs }
}
