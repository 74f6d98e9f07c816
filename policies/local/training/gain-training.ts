/** Trains the prediction of what plans gain. All plans of all queries have been searched, so that nothing is drawn or estimated. */
import { fitGain, type GainExample } from '../../../src/learn/gain.ts'
import type { Scorer } from '../../../src/learn/scorer.ts'
import { gainInputs, gainNetworks, gainRow, learnedCost } from '../decision/gain.ts'
import { collectionWeights } from './collection-weights.ts'
import { gainOf, type SearchedPlans } from './plan-search.ts'

export interface GainTrainingOptions {
  readonly seed: number
  readonly signal?: AbortSignal | undefined
  /** Networks finished, and their total. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined
}

/** Every network learns from all rows: without the one corpus of conversations, it would say nonsense about them. */
export async function trainGains(
  all: readonly SearchedPlans[],
  { seed, signal, onProgress }: GainTrainingOptions,
): Promise<readonly Scorer[]> {
  const weights = collectionWeights(all.map(({ example }) => example.collection))
  const rows = all.flatMap((one): GainExample[] => {
    const weight = weights.get(one.example.collection)!
    return one.plans.map((plan) => ({
      weight,
      row: gainRow(one.stage, plan),
      surplus: gainOf(one, plan) - learnedCost,
    }))
  })
  const scorers: Scorer[] = []
  for (let network = 0; network < gainNetworks; network++) {
    scorers.push(await fitGain(rows, { inputs: gainInputs, seed: seed + network, signal }))
    onProgress?.(network + 1, gainNetworks)
  }
  return scorers
}
