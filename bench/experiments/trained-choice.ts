/** Decisions that were trained on some queries and are made for others. */
import { actionInputs } from '../../policies/local/actions.ts'
import { bestOf, type ChoiceModels } from '../../policies/local/choose.ts'
import { defaultEffort, type Effort } from '../../policies/local/effort.ts'
import type { RewardOptions } from '../../policies/local/training/action-space.ts'
import { type AppliedDecision, chooserOf } from '../../policies/local/training/apply-decision.ts'
import { trainAveragePolicy } from '../../policies/local/training/average-policies.ts'
import { choiceProblems } from '../../policies/local/training/decision-training.ts'
import { defaultChoice } from '../../policies/local/training/defaults.ts'
import { trainGate } from '../../policies/local/training/gate-training.ts'
import type { TrainedChoice } from '../../policies/local/training/policy-gradient.ts'
import { prepareScorer, type Scorer } from '../../src/learn/scorer.ts'
import { softmax } from '../../src/learn/softmax.ts'
import { type ChoiceTable, featuresOf, problemOf } from './choice-table.ts'
import type { EpochPlan, Variant } from './variants.ts'

export interface TrainingSettings {
  readonly seed: number
  /** What each sub-query takes from the reward, unless the variant says. Default: 0. */
  readonly cost?: number | undefined
  /** What the variant changes is changed of this. */
  readonly curriculum: EpochPlan
  readonly variant?: Pick<Variant, 'curriculum' | 'allows' | 'cost' | 'kl'> | undefined
  /** What the policy sees. Default: all of `actionInputs`. */
  readonly inputs?: readonly string[] | undefined
  /** For each query, in place of its own rewards. */
  readonly rewards?: readonly ((choice: number, stage: 1 | 2) => number)[] | undefined
  /** Called after each epoch of the first of the policies whose mean is taken. */
  readonly onEpoch?: ((scorer: Scorer, epoch: TrainedChoice['curve'][number]) => void) | undefined
  readonly signal?: AbortSignal | undefined
}

export function trainOn(
  tables: readonly ChoiceTable[],
  { seed, cost, curriculum, variant = {}, inputs = actionInputs, rewards, onEpoch, signal }: TrainingSettings,
): Promise<TrainedChoice> {
  const problems = tables.map((table, index) =>
    problemOf(table, {
      cost: variant.cost ?? cost,
      kept: keptOf(table, variant),
      inputs,
      reward: rewards?.[index],
    }),
  )
  return trainAveragePolicy(problems, {
    ...defaultChoice,
    kl: variant.kl ?? defaultChoice.kl,
    curriculum: { ...curriculum, ...variant.curriculum },
    inputs,
    seed,
    ...(signal && { signal }),
    ...(onEpoch && {
      onEpoch: (epoch, model, snapshot) => {
        if (model === 0) onEpoch(snapshot(), epoch)
      },
    }),
  })
}

/** A trained choice with a gate that was fitted on the same queries. @param foldOf the fold of each query */
export async function withGate(
  choice: Scorer,
  tables: readonly ChoiceTable[],
  foldOf: readonly number[],
  { seed, reward, curriculum, signal }: TrainingSettings & { readonly reward: RewardOptions },
): Promise<ChoiceModels> {
  const prepared = tables.map((table) => table.prepared)
  const gate = await trainGate(prepared, choiceProblems(prepared, { reward }), {
    foldOf,
    seed,
    choice: { curriculum },
    signal,
  })
  return { choice, ...(gate.length > 0 && { gate }) }
}

/** The choices that a variant may make. */
function keptOf(table: ChoiceTable, { allows }: Pick<Variant, 'allows'>): number[] | undefined {
  if (allows === undefined) return undefined
  return [...table.prepared.choices.keys()].filter((choice) => allows(table, choice))
}

/** What trained models take for each query. */
export function takeFor(
  tables: readonly ChoiceTable[],
  models: ChoiceModels,
  variant: Pick<Variant, 'allows'> = {},
  effort: Effort = defaultEffort,
): AppliedDecision[] {
  const choose = chooserOf(models, effort)
  return tables.map((table) => {
    const { choices, stage } = table.prepared
    const kept = keptOf(table, variant) ?? [...choices.keys()]
    const { choice, isSure } = choose({
      stage,
      choices: kept.map((place) => choices[place]!),
      features: featuresOf(table, kept, actionInputs),
    })
    return { choice: kept[choice]!, isSure }
  })
}

/** A choice that was not learned, and knows no doubt. */
export const surely = (choice: number): AppliedDecision => ({ choice, isSure: true })

/** How a policy stands on some queries: by the choices that it takes, and by those that it draws, as it does in training. */
export interface Standing {
  /** Mean Stage II reward, without what sub-queries cost. */
  readonly taken: number
  readonly drawn: number
  /** Mean number of sub-queries. */
  readonly subQueriesTaken: number
  readonly subQueriesDrawn: number
}

/** @param scorer absent: before the first step, when all choices are equally likely */
export function standingOn(tables: readonly ChoiceTable[], scorer: Scorer | undefined): Standing {
  const score = scorer && prepareScorer(scorer)
  const sums = { taken: 0, drawn: 0, subQueriesTaken: 0, subQueriesDrawn: 0 }
  for (const table of tables) {
    const { features, choices } = table.prepared
    const scores = score?.(features, choices.length) ?? new Float64Array(choices.length)
    const best = bestOf(scores)
    sums.taken += table.reward(best, 2)
    sums.subQueriesTaken += table.size(best)
    softmax(scores).forEach((probability, choice) => {
      sums.drawn += probability * table.reward(choice, 2)
      sums.subQueriesDrawn += probability * table.size(choice)
    })
  }
  const each = (sum: number): number => sum / Math.max(1, tables.length)
  return {
    taken: each(sums.taken),
    drawn: each(sums.drawn),
    subQueriesTaken: each(sums.subQueriesTaken),
    subQueriesDrawn: each(sums.subQueriesDrawn),
  }
}
