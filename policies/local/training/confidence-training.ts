/** Trains the confidence of re-ranked hits: the probability that a document is relevant. */
import { fitProbability, type Observation } from '../../../src/learn/probability.ts'
import type { Scorer } from '../../../src/learn/scorer.ts'
import { orderOf } from '../../../src/rank.ts'
import { confidenceInputs, confidenceRows, type Scored } from '../rerank/confidence.ts'
import { collectionWeights } from './collection-weights.ts'
import { everyUnanswered } from './without-relevant.ts'

/** A re-ranked query. Its scores are from models that have not seen it. */
export interface ConfidenceExample extends Scored {
  readonly collection: string
  /** Empty for a search of an index that cannot answer. */
  readonly golds: ReadonlyMap<string, number>
  /** Of each row of the pool: above 0 if it is relevant. */
  readonly targets: Float32Array
}

/** Confidence is about the hits that are shown: the first ones, and some behind them. */
const shown = 10
const behind = [12, 15, 20, 30, 50, 80]

/** Weak: there are many rows, and a smooth function of the scores is wanted. */
const network = { hidden: 8, epochs: 4, batch: 256 }

export async function fitConfidence(
  examples: readonly ConfidenceExample[],
  { seed, signal }: { readonly seed: number; readonly signal?: AbortSignal | undefined },
): Promise<Scorer> {
  const weights = collectionWeights(examples.map(({ collection }) => collection))
  const width = confidenceInputs.length
  const observations = examples.flatMap((example): Observation[] => {
    const rows = confidenceRows(example)
    const order = orderOf(example.result.scores)
    const weight = weights.get(example.collection)! * (example.golds.size === 0 ? everyUnanswered : 1)
    return [...order.slice(0, shown), ...behind.flatMap((place) => order[place] ?? [])].map((row) => ({
      row: rows.slice(row * width, (row + 1) * width),
      holds: example.targets[row]! > 0,
      weight,
    }))
  })
  return fitProbability(observations, { inputs: confidenceInputs, ...network, seed, signal })
}
