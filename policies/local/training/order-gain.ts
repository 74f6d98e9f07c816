/** What one order of documents gains on another: nDCG@10, from −1 to 1. */
import { parseMetric } from '../../../src/evaluation/metrics.ts'

const metric = parseMetric('ndcg@10')

/** @param golds docid → grade, all above 0 */
export function orderGain(
  after: readonly string[],
  before: readonly string[],
  golds: ReadonlyMap<string, number>,
): number {
  const [gained, had] = [after, before].map((docids) =>
    metric.compute(
      docids.map((docid) => ({ docid })),
      golds,
    ),
  )
  return gained! - had!
}
