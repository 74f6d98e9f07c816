/** The policy with one part taken away: retrained without it, and measured without it. */
import { combSum } from '../../fusion/comb-sum.ts'
import { rrf } from '../../fusion/rrf.ts'
import { defaultChoice } from '../../policies/local/training/defaults.ts'
import type { CurriculumOptions } from '../../src/training/curriculum.ts'
import type { Fusion } from '../../src/types.ts'
import type { ChoiceTable } from './choice-table.ts'

/** How a decision is trained here, all epochs told. */
export type EpochPlan = CurriculumOptions & {
  readonly stageOneEpochs: number
  readonly stageTwoEpochs: number
}

export const defaultCurriculum: EpochPlan = defaultChoice.curriculum

export interface Variant {
  /** What the tables call it. */
  readonly name: string
  /** In place of rank-score fusion, in the rewards and in the lists that are measured. */
  readonly fusion?: Fusion
  /** What is changed of the default curriculum. */
  readonly curriculum?: CurriculumOptions
  /** Whether a choice may be made. Default: all may. */
  readonly allows?: (table: ChoiceTable, choice: number) => boolean
  /** Sub-queries of stage 2 that re-ranking may look up. Default: as many as ever. */
  readonly maxSecondStage?: number
  /** What each sub-query takes from the reward in training. */
  readonly cost?: number
  /** Whether it gets a gate of its own. Default: no, so that what is measured is the choice alone. */
  readonly isGated?: boolean
  /** The weight of the divergence from leaving every query alone. */
  readonly kl?: number
}

/** @param curriculum of the whole policy: without a stage, the other one has the epochs of both */
export function ablationsOf({
  stageOneEpochs,
  stageTwoEpochs,
}: Pick<EpochPlan, 'stageOneEpochs' | 'stageTwoEpochs'>): readonly Variant[] {
  const epochs = stageOneEpochs + stageTwoEpochs
  return [
    { name: 'reciprocal rank fusion (k 60) in place of rank-score fusion', fusion: rrf() },
    { name: 'CombSUM in place of rank-score fusion', fusion: combSum() },
    { name: 'without Stage I', curriculum: { stageOneEpochs: 0, stageTwoEpochs: epochs } },
    {
      name: 'without Stage II',
      curriculum: { stageOneEpochs: epochs, stageTwoEpochs: 0, maxZeroVariance: 1 },
    },
    {
      name: 'without decomposition (at most one list)',
      allows: ({ prepared, size }, choice) =>
        size(choice) + (prepared.choices[choice]!.withOriginal ? 1 : 0) <= 1,
    },
    {
      name: 'without second stage',
      allows: (table, choice) => !table.hasSecondStage(choice),
      maxSecondStage: 0,
    },
    { name: "with the paper's filter (τ ≤ 5/3)", curriculum: { filter: true, tauMax: 5 / 3 } },
    { name: 'without the divergence from leaving alone', kl: 0 },
    { name: 'a price of 0.005 a sub-query in its place', kl: 0, cost: 0.005 },
  ]
}

/** The number of sub-queries is given, and only which ones is learned; where so many cannot be made, the next lower number. */
export const fixedNumbers: readonly Variant[] = [1, 2, 3].map((number) => ({
  name: `always ${number === 1 ? 'one sub-query' : `${number} sub-queries`}`,
  // What it might stay near, leaving alone, is not among its choices.
  kl: 0,
  allows(table, choice) {
    let most = 0
    for (let other = 0; other < table.prepared.choices.length; other++) {
      const size = table.size(other)
      if (size <= number && size > most) most = size
    }
    return table.size(choice) === most
  },
}))

/** Stage II on a part of the queries, as the paper trains (equation 8 and A.3). */
export const filters: readonly Variant[] = [
  { name: 'Stage II for queries with τ ≤ 5/3', curriculum: { filter: true, tauMax: 5 / 3 }, isGated: true },
  { name: 'the harder half of the queries', curriculum: { retain: 0.5 }, isGated: true },
]
