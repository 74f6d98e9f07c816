import { createPoolScorer, scoredBy } from '../../policies/local/rerank/rerank.ts'
import type { Reranker } from '../../src/reranker.ts'

/** The re-ranker of these networks, in this thread. */
export function rerankerOf(
  ...made: Parameters<typeof createPoolScorer>
): Required<Pick<Reranker, 'explain'>> & Reranker {
  const { scores, explain } = createPoolScorer(...made)
  return { ...scoredBy(scores, explain), explain }
}
