/** Trains the variants of the policy, and measures them on the queries that are held out. */

import type { ChoiceModels } from '../../policies/local/choose.ts'
import type { RewardOptions } from '../../policies/local/training/action-space.ts'
import type { Scorer } from '../../src/learn/scorer.ts'
import { type ChoiceTable, choiceTable } from './choice-table.ts'
import type { Recorder } from './record.ts'
import type { Rerank } from './reranked.ts'
import { type TrainingSettings, takeFor, trainOn } from './trained-choice.ts'
import type { Variant } from './variants.ts'

export interface VariantsOptions {
  /** Of the whole policy: each variant changes something of it. */
  readonly settings: TrainingSettings
  readonly reward: RewardOptions
  readonly variants: readonly Variant[]
  readonly gated: (choice: Scorer) => Promise<ChoiceModels>
  /** Where it is not given, variants are measured without re-ranking. */
  readonly rerank: Rerank | undefined
  readonly recorder: Recorder
  /** Called before a variant is trained, with its place among all of them. */
  readonly onVariant: (name: string, place: number) => void
}

/** How many queries the paper's filter kept for Stage II, of how many. */
export interface Filtered {
  readonly kept: number
  readonly of: number
}

/**
 * @param held queries that are not trained on
 * @param heldOut the place of each of them among the examples
 * @returns what the filter kept in the variant that has one
 * @throws QuerentError `aborted`
 */
export async function runVariants(
  training: readonly ChoiceTable[],
  held: readonly ChoiceTable[],
  heldOut: readonly number[],
  { settings, reward, variants, gated, rerank, recorder, onVariant }: VariantsOptions,
): Promise<Filtered | undefined> {
  const { signal } = settings
  let filtered: Filtered | undefined
  for (const [place, variant] of variants.entries()) {
    onVariant(variant.name, place)
    const measured = withFusion(held, variant, reward)
    const { scorer, log } = await trainOn(withFusion(training, variant, reward), { ...settings, variant })
    const { maxSecondStage } = variant
    const reranked: Rerank | undefined = rerank && ((table, taken) => rerank(table, taken, maxSecondStage))
    const models = variant.isGated ? await gated(scorer) : { choice: scorer }
    await recorder.note(variant.name, heldOut, measured, takeFor(measured, models, variant), {
      rerank: reranked,
      signal,
    })
    const filter = log.find((entry) => entry.type === 'filter' && entry.rule === 'challenge-zone')
    if (filter?.type === 'filter')
      filtered = { kept: filter.kept.length, of: filter.kept.length + filter.dropped.length }
  }
  return filtered
}

function withFusion(
  tables: readonly ChoiceTable[],
  { fusion }: Variant,
  reward: RewardOptions,
): readonly ChoiceTable[] {
  return fusion === undefined ? tables : tables.map(({ prepared }) => choiceTable(prepared, reward, fusion))
}
