/** Trains the prediction of what plans gain. All plans of all queries have been searched, so that nothing is drawn or estimated. */
import { fitGain, type GainExample } from '../../../src/learn/gain.ts'
import type { Scorer } from '../../../src/learn/scorer.ts'
import { gainInputs, gainNetworks, gainRow, learnedCost } from '../gain.ts'
import { collectionWeights } from './collection-weights.ts'
import { corpusShares } from './corpus-shares.ts'
import { gainOf, type SearchedPlans } from './plan-search.ts'

/** From fewer rows, a network that lacks some corpora would learn noise. */
const leastRows = 100

export interface GainTrainingOptions {
  readonly seed: number
  readonly signal?: AbortSignal | undefined
  /** Networks finished, and their total. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined
}

/**
 * Fits the networks on the gain of every plan of every query. The plans come from models that have not seen the query. Collections count
 * by the root of their size, so that small ones matter too. Each network learns without some of the corpora (see `corpusShares`): what a
 * single corpus teaches, such as that a question of its form is a chain, then speaks less loudly in others.
 */
export async function trainGains(
  all: readonly SearchedPlans[],
  { seed, signal, onProgress }: GainTrainingOptions,
): Promise<readonly Scorer[]> {
  const weights = collectionWeights(all.map(({ example }) => example.collection))
  const rows = all.flatMap((one): (GainExample & { readonly corpus: string })[] => {
    const { collection, corpus } = one.example
    return one.plans.map((plan) => ({
      corpus,
      weight: weights.get(collection)!,
      row: gainRow(one.stage, plan),
      surplus: gainOf(one, plan) - learnedCost,
    }))
  })
  const shares = corpusShares(
    rows.map(({ corpus }) => corpus),
    { networks: gainNetworks, least: leastRows },
  )
  const scorers: Scorer[] = []
  for (const [model, learnsFrom] of shares.entries()) {
    const taught = rows.filter(({ corpus }) => learnsFrom(corpus))
    scorers.push(await fitGain(taught, { inputs: gainInputs, seed: seed + model, signal }))
    onProgress?.(model + 1, shares.length)
  }
  return scorers
}
