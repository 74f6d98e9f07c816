/**
 * Blends the fused rank in after a language model's rewrites: subtracts weight · log(fused rank) from each score. The networks learned from the sub-queries of the local policy, which
 * are guesses. What a language model's texts find first is worth more than the networks believe.
 */
import type { Hit } from '../../../src/types.ts'
import type { Candidate } from './pool.ts'

/**
 * Chosen on recorded rewrites of two collections (HotpotQA, 2WikiMultihopQA), searched by policies that were trained on other
 * queries: of six weights, those up to 0.75 lower neither. Figures are in `bench/results/local.md`.
 */
export const fusedWeight = 0.5

/**
 * The scores less `weight` times the logarithm of the fused rank: the product of both orders, as probabilities. What was not fused
 * counts as the next rank.
 *
 * @param scores one per candidate, or none
 */
export function blendFusedRank(
  scores: Float64Array,
  candidates: readonly Candidate[],
  fused: readonly Hit[],
  weight: number,
): Float64Array {
  const rankOf = new Map(fused.map(({ docid, rank }) => [docid, rank]))
  return scores.map((score, row) => {
    const rank = rankOf.get(candidates[row]!.docid) ?? fused.length + 1
    return score - weight * Math.log(rank)
  })
}
