/** Trains the judge of re-ranking: for which queries the new order is better than the given one. */
import { parseMetric } from '../../../src/evaluation/metrics.ts'
import { fitGain } from '../../../src/learn/gain.ts'
import type { Scorer } from '../../../src/learn/scorer.ts'
import { orderOf } from '../../../src/rank.ts'
import { type Judged, trustInputs, trustRow } from '../rerank/trust.ts'
import { collectionWeights } from './collection-weights.ts'

/** A re-ranked query. Its scores are from models that have not seen it. */
export interface TrustExample extends Judged {
  readonly collection: string
  /** docid → grade, all above 0. */
  readonly golds: ReadonlyMap<string, number>
}

export interface TrustTrainingOptions {
  /** How many networks to fit; the mean of their predictions counts. */
  readonly models: number
  readonly seed: number
  readonly signal?: AbortSignal | undefined
  /** Called after each network. */
  readonly onFitted?: (() => void) | undefined
}

/** From fewer queries trust would be learned from their luck. Without it, the new order is always taken. */
const leastExamples = 100

const metric = parseMetric('ndcg@10')

/** Queries without a relevant document in the index teach nothing. @returns an empty list for fewer than 100 others */
export async function fitTrust(
  all: readonly TrustExample[],
  { models, seed, signal, onFitted }: TrustTrainingOptions,
): Promise<Scorer[]> {
  const examples = all.filter(({ golds }) => golds.size > 0)
  if (examples.length < leastExamples) return []
  const weights = collectionWeights(examples.map(({ collection }) => collection))
  const decisions = examples.map((example) => ({
    row: trustRow(example),
    surplus: gainOf(example),
    weight: weights.get(example.collection)!,
  }))
  const scorers: Scorer[] = []
  for (let model = 0; model < models; model++) {
    scorers.push(await fitGain(decisions, { inputs: trustInputs, seed: seed + model, signal }))
    onFitted?.()
  }
  return scorers
}

/** nDCG@10 of the new order less that of the given one. */
function gainOf({ given, retrieved, result, golds }: TrustExample): number {
  const pool = orderOf(result.scores).map((row) => retrieved.candidates[row]!.docid)
  const worthOf = (docids: readonly string[]): number =>
    metric.compute(
      docids.map((docid) => ({ docid })),
      golds,
    )
  return worthOf([...new Set([...pool, ...given])]) - worthOf(given)
}
