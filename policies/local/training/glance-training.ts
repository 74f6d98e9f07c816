/** Trains the glance on what sub-queries and re-ranking gained for each query, by models that have not seen it. */
import { fitGain } from '../../../src/learn/gain.ts'
import type { Scorer } from '../../../src/learn/scorer.ts'
import { glanceCost, glanceInputs } from '../gate/glance.ts'
import { collectionWeights } from './collection-weights.ts'
import { orderGain } from './order-gain.ts'

/** A query that was searched to the end. */
export interface GlanceExample {
  /** By `glanceInputs`. */
  readonly row: Float32Array
  readonly collection: string
  /** docid → grade, all above 0. */
  readonly golds: ReadonlyMap<string, number>
  /** The docids of the original query's hits, and those of the final order, best first. */
  readonly original: readonly string[]
  readonly final: readonly string[]
}

export interface GlanceTrainingOptions {
  readonly seed: number
  readonly signal?: AbortSignal | undefined
}

/** From fewer queries it would learn their luck. */
const leastExamples = 100

/** Networks; the mean of their predictions counts. */
const models = 3

/** @returns an empty list for fewer than 100 queries */
export async function fitGlance(
  examples: readonly GlanceExample[],
  { seed, signal }: GlanceTrainingOptions,
): Promise<Scorer[]> {
  if (examples.length < leastExamples) return []
  const weights = collectionWeights(examples.map(({ collection }) => collection))
  const decisions = examples.map(({ row, collection, golds, original, final }) => ({
    row,
    surplus: orderGain(final, original, golds) - glanceCost,
    weight: weights.get(collection)!,
  }))
  const scorers: Scorer[] = []
  for (let model = 0; model < models; model++)
    scorers.push(await fitGain(decisions, { inputs: glanceInputs, seed: seed + model, signal }))
  return scorers
}
